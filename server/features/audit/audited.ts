import type { Route } from '@groundswell/contract/route.ts'
import type { Caller, Handler, Input } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { record } from './record.ts'

/**
 * The same calls, with a log entry after each one that changed something. A refused call has none. An entry
 * that cannot be written is reported in the server's own log, and does not undo the change.
 */
export function audited(services: Services, handlers: readonly Handler[]): Handler[] {
  return handlers.map((handler) => {
    const { audit } = handler.route
    if (audit === undefined || audit === 'none') return handler
    return {
      route: handler.route,
      answer: async (input) => {
        const answer = await handler.answer(input)
        const caller = input.caller as Caller | null
        if (caller) {
          const { accountId, workspaceId, email: actor } = caller
          const detail: Record<string, string> = caller.key ? { api_key: caller.key.label } : {}
          const target = targetOf(input, audit.target)
          const entry = { action: audit.action, actor, target, workspaceId, accountId, detail }
          await record(services, { ...entry, actorId: accountId }, input.request).catch((error: Error) => {
            input.request.log.error(
              { action: audit.action, err: error.message },
              'an entry could not be written to the audit log',
            )
          })
        }
        return answer
      },
    }
  })
}

function targetOf(input: Input<Route>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const value = (
    { ...(input.body as object | undefined), ...(input.params as object | undefined) } as Record<string, unknown>
  )[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

import type { Route } from '@groundswell/contract/route.ts'
import type { Caller, Handler, Input } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { record } from './record.ts'

/** By the name of a call: what the log says once it has been answered, and which of its inputs is the target. */
const deeds: Readonly<Record<string, { action: string; target?: string }>> = {
  updateSettings: { action: 'settings.saved' },
  pushInsight: { action: 'insight.pushed', target: 'issue_number' },
  deleteInsight: { action: 'insight.deleted', target: 'issue_number' },
  restoreInsight: { action: 'insight.restored', target: 'issue_number' },
  setInsightTags: { action: 'insight.tagged', target: 'issue_number' },
  createInsight: { action: 'insight.made' },
  correctInsight: { action: 'insight.corrected', target: 'issue_number' },
  undoCorrection: { action: 'correction.undone', target: 'correction_id' },
  beginEmbeddingSwitch: { action: 'embeddings.prepared' },
  applyEmbeddingSwitch: { action: 'embeddings.applied', target: 'switch_id' },
  discardEmbeddingSwitch: { action: 'embeddings.discarded', target: 'switch_id' },
  addConnection: { action: 'connection.connected', target: 'tile' },
  finishOAuth: { action: 'connection.connected', target: 'tile' },
  disconnect: { action: 'connection.disconnected', target: 'tile' },
  updateConnection: { action: 'connection.changed', target: 'tile' },
  testConnection: { action: 'connection.tested', target: 'tile' },
  getSigningSecret: { action: 'signing-secret.shown', target: 'tile' },
  rotateSigningSecret: { action: 'signing-secret.rotated', target: 'tile' },
  saveApp: { action: 'provider-app.saved', target: 'tile' },
  saveChoices: { action: 'connection.changed', target: 'tile' },
  startSync: { action: 'sync.started', target: 'tile' },
  cancelSync: { action: 'sync.cancelled', target: 'tile' },
  startImport: { action: 'import.started' },
  answerHeld: { action: 'held-insights.answered' },
  answerImport: { action: 'import.answered', target: 'id' },
  restoreReplaced: { action: 'import.texts-restored', target: 'id' },
  deleteImport: { action: 'import.deleted', target: 'id' },
  replayDelivery: { action: 'delivery.replayed', target: 'id' },
  rerunDeadJob: { action: 'job.rerun', target: 'id' },
  discardDeadJob: { action: 'job.discarded', target: 'id' },
}

/** Calls that change something and are not told here: they change nothing that lasts, or write their own entries. */
const own: ReadonlySet<string> = new Set([
  'login',
  'signup',
  'logout',
  'endMySession',
  'endMySessions',
  'makeRecoveryCodes',
  'redeemRecoveryCode',
  'deleteMyAccount',
  'authorize',
  'previewCorrection',
  'previewImport',
  'previewTags',
  'receiveEvents',
  'setDir',
  'setGeneratorFilter',
  'setInputFilter',
])

/**
 * The same calls, with an entry in the log after each one that did something. A call that was refused did nothing. An entry
 * that cannot be written is said in the server's own log, and does not undo what was done.
 */
export function audited(services: Services, handlers: readonly Handler[]): Handler[] {
  return handlers.map((handler) => {
    const deed = deeds[handler.route.name]
    if (!deed) return handler
    return {
      route: handler.route,
      answer: async (input) => {
        const answer = await handler.answer(input)
        const caller = input.caller as Caller | null
        if (caller) {
          const { accountId, workspaceId, email: actor } = caller
          const entry = { action: deed.action, actor, target: targetOf(input, deed.target), workspaceId, accountId }
          await record(services, { ...entry, actorId: accountId }, input.request).catch((error: Error) => {
            input.request.log.error({ action: deed.action, err: error.message }, 'the audit log missed an entry')
          })
        }
        return answer
      },
    }
  })
}

/** True when the log knows what to do about a call: a new one that changes something must be named above. */
export function isAccountedFor(route: Route): boolean {
  return route.method === 'GET' || route.name in deeds || own.has(route.name)
}

function targetOf(input: Input<Route>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const value = (input.params as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

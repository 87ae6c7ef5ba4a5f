import { createHash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { HOOK_USER } from './subscriptions.ts'

const Event = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  eventType: z.string(),
  resource: z.optional(
    z.nullable(
      z.object({
        id: z.optional(z.nullable(z.int())),
        workItemId: z.optional(z.nullable(z.int())),
        url: z.optional(z.nullable(z.string())),
      }),
    ),
  ),
  resourceContainers: z.optional(
    z.nullable(
      z.object({ project: z.optional(z.nullable(z.object({ id: z.string().check(z.regex(/^[0-9A-Fa-f-]{36}$/)) }))) }),
    ),
  ),
})

const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of a service hook. It is only a hint: the item is read again, so that a repeated or late one does no harm. Nothing of
 * an item's text is kept. A request without our credentials, or one that cannot be parsed, is `Rejected`.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest): ProviderEvents {
  verifyBasic(secrets['hook_password'] ?? '', request)
  const parsed = Event.safeParse(parseJson(Buffer.from(request.body).toString('utf8')))
  if (!parsed.success) throw new Rejected('The event from Azure DevOps could not be parsed')
  const item = itemOf(parsed.data)
  if (item === null) return { reply, events: [] }
  const project = parsed.data.resourceContainers?.project?.id.toLowerCase() ?? null
  return { reply, events: [{ id: parsed.data.id, account: '', payload: { kind: 'work item', id: item, project } }] }
}

/** Compares in constant time, whatever the lengths. An empty password verifies nothing. */
function verifyBasic(password: string, { headers }: ProviderRequest): void {
  if (password === '') throw new Rejected('The password of the service hooks is not set')
  const { authorization } = headers
  const given = typeof authorization === 'string' ? authorization : ''
  const expected = `Basic ${Buffer.from(`${HOOK_USER}:${password}`).toString('base64')}`
  if (!timingSafeEqual(digest(given), digest(expected))) {
    throw new Rejected('The event does not have the password of your service hooks in Azure DevOps')
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The `id` of an updated item's resource is that of the update. */
function itemOf({ eventType, resource }: z.infer<typeof Event>): number | null {
  if (!resource) return null
  if (eventType === 'workitem.deleted') return resource.id ?? null
  if (eventType !== 'workitem.updated') return null
  const inUrl = /\/workItems\/(\d{1,10})(?:\/|$)/i.exec(resource.url ?? '')?.[1]
  return resource.workItemId || (inUrl === undefined ? null : Number(inUrl))
}

import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { Id } from './schema.ts'
import { EVENTS } from './subscriptions.ts'

/** ClickUp signs the raw body with the webhook's own secret. The time of sending is not signed. */
const SCHEME: HmacScheme = { who: 'ClickUp', algorithm: 'sha256', encoding: 'hex', header: 'x-signature' }

const Delivery = z.object({
  event: z.string(),
  webhook_id: Id,
  task_id: z.nullish(Id),
  history_items: z.nullish(z.array(z.object({ id: Id }))),
})

const FOLLOWED: ReadonlySet<string> = new Set(EVENTS)
const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of our webhook. An event contains the id of its task and none of its text, and is the same when ClickUp sends it
 * again. A forged or malformed request is `Rejected`; an old one does no harm, because the task is read again.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.webhook_secret ?? '', request, now)
  const parsed = Delivery.safeParse(parseJson(Buffer.from(request.body).toString('utf8')))
  if (!parsed.success) throw new Rejected('The event from ClickUp could not be parsed')
  const { event, webhook_id, task_id, history_items } = parsed.data
  if (!FOLLOWED.has(event) || !task_id) return { reply, events: [] }
  const change = history_items?.[0]?.id ?? createHash('sha256').update(request.body).digest('hex')
  const id = `${webhook_id}:${event}:${change}`
  return { reply, events: [{ id, account: '', payload: { kind: 'task', id: task_id } }] }
}

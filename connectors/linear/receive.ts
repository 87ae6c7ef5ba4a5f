import * as z from 'zod/mini'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'

/** Linear signs the raw body only; the time of sending is part of it. */
const SCHEME: HmacScheme = {
  who: 'Linear',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'linear-signature',
}
const MAX_AGE_MS = 60_000
/** The fields whose change may close, reopen, delete or move an issue. */
const FOLLOWED = ['stateId', 'archivedAt', 'trashed', 'teamId']

const Delivery = z.object({
  type: z.string(),
  action: z.string(),
  organizationId: z.string().check(z.minLength(1)),
  webhookId: z.optional(z.string()),
  webhookTimestamp: z.number(),
  data: z.optional(z.object({ id: z.optional(z.string()) })),
  updatedFrom: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})

const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of a webhook: one that we created, or that of the app. Only changes of an issue's state, place and existence
 * become events, without any of its text. A forged, malformed or old request is `Rejected`.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.webhook_secret ?? '', request, now)
  const parsed = Delivery.safeParse(parseJson(Buffer.from(request.body).toString('utf8')))
  if (!parsed.success) throw new Rejected('The event from Linear could not be parsed')
  const { webhookTimestamp, webhookId, organizationId } = parsed.data
  if (Math.abs(now.getTime() - webhookTimestamp) > MAX_AGE_MS) {
    throw new Rejected('The event was sent more than 60 seconds ago, or the clock of this machine is wrong')
  }
  const payload = payloadOf(parsed.data)
  if (!payload) return { reply, events: [] }
  const delivery = request.headers['linear-delivery']
  const id =
    typeof delivery === 'string' && delivery !== ''
      ? delivery
      : `${webhookId ?? ''}:${webhookTimestamp}:${'id' in payload ? payload.id : ''}`
  return { reply, events: [{ id, account: organizationId, payload }] }
}

function payloadOf({ type, action, data, updatedFrom }: z.infer<typeof Delivery>) {
  if (type === 'OAuthApp' && action === 'revoked') return { kind: 'revoked' as const }
  const id = data?.id
  if (type !== 'Issue' || id === undefined) return null
  const changed = updatedFrom ? FOLLOWED.some((field) => Object.hasOwn(updatedFrom, field)) : true
  const matters = action === 'remove' || (action === 'update' && changed)
  return matters ? { kind: 'issue' as const, id } : null
}

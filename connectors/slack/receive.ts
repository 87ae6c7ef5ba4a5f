import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { Delivery } from './schema.ts'

/** Slack's signature, version 0. */
const SIGNATURE: HmacScheme = {
  who: 'Slack',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-slack-signature',
  prefix: 'v0=',
  timestamp: { header: 'x-slack-request-timestamp', signed: (timestamp) => `v0:${timestamp}:`, maxAge: 300 },
}
/** The types of event that concern feedback or the sign-in. */
const FOLLOWED = new Set(['message', 'tokens_revoked', 'app_uninstalled'])

const answer = (body: string, type = 'text/plain; charset=utf-8') => ({ status: 200, type, body })

/**
 * Parses a request of the Events API. Slack signs the raw bytes, so they are verified before they are parsed; a forged, expired
 * or malformed request is `Rejected`. A repeated event has the same `event_id`.
 */
export function receive(app: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SIGNATURE, app.signing_secret ?? '', request, now)
  const parsed = Delivery.safeParse(parseJson(request.body))
  if (!parsed.success) throw new Rejected('The event from Slack could not be parsed')
  const { type, challenge, event_id, event, authorizations } = parsed.data
  const team_id = authorizations?.[0]?.team_id || parsed.data.team_id
  if (type === 'url_verification') return { reply: answer(challenge ?? ''), events: [] }
  const kind = String(event?.type)
  if (type !== 'event_callback' || !event || !FOLLOWED.has(kind)) return { reply: answer(''), events: [] }
  if (!team_id || !event_id) throw new Rejected('The event from Slack has no id or no workspace')
  return { reply: answer(''), events: [{ id: event_id, account: team_id, payload: event }] }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

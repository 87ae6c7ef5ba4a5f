import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { Delivery } from './schema.ts'

/** Requests further from now are considered replayed. */
const WINDOW_SECONDS = 300
/** The types of event that concern feedback or the sign-in. */
const FOLLOWED = new Set(['message', 'tokens_revoked', 'app_uninstalled'])

const answer = (body: string, type = 'text/plain; charset=utf-8') => ({ status: 200, type, body })

/**
 * Parses a request of the Events API. Slack signs the raw bytes, so they are verified before they are parsed; a forged, expired
 * or malformed request is `Rejected`. A repeated event has the same `event_id`.
 */
export function receive(app: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verify(app.signing_secret ?? '', request, now)
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

function verify(secret: string, request: ProviderRequest, now: Date): void {
  if (secret === '') throw new Rejected('The signing secret of the Slack app is not set')
  const timestamp = header(request, 'x-slack-request-timestamp')
  const signature = header(request, 'x-slack-signature')
  if (!/^\d{1,11}$/.test(timestamp)) throw new Rejected('The event has no valid timestamp')
  const expected = signatureOf(secret, timestamp, request.body)
  const given = Buffer.from(signature)
  const wanted = Buffer.from(expected)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Rejected('The signature of the event is not that of your Slack app')
  }
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > WINDOW_SECONDS) {
    throw new Rejected('The event was sent more than 5 minutes ago, or the clock of this machine is wrong')
  }
}

/** Slack's signature, version 0, of the raw bytes. */
function signatureOf(secret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
}

/** The value of a header; a repeated header has none. */
function header({ headers }: ProviderRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

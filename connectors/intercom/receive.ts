import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { TOPICS } from './app.ts'
import { Notification } from './schema.ts'

/** Intercom offers nothing else than SHA-1, and signs no time. */
const SCHEME: HmacScheme = {
  who: 'Intercom',
  algorithm: 'sha1',
  encoding: 'hex',
  header: 'x-hub-signature',
  prefix: 'sha1=',
}

const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }
const topics = new Set<string>(TOPICS)

/**
 * Parses a notification. It is verified before it is parsed: it is signed with the app's client secret, over the raw bytes. A forged
 * or malformed request is `Rejected`. A repeated notification has the same id, and one that is repeated later changes nothing, since
 * the conversation is read as it is then. The app has one address for all workspaces: `app_id` says which one it is.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  // Before Intercom saves the address, it requests it without a signature.
  if (request.method === 'HEAD' || request.method === 'GET') return { reply, events: [] }
  verifyHmac(SCHEME, secrets.client_secret ?? '', request, now)
  const parsed = Notification.safeParse(parseJson(utf8(request.body)))
  if (!parsed.success) throw new Rejected('The notification from Intercom could not be parsed')
  const { topic, id, app_id, created_at, data } = parsed.data
  // Intercom sends `ping` to test the address.
  if (!topics.has(topic)) return { reply, events: [] }
  const item = data?.item
  const conversation = item?.conversation_id ?? item?.id
  if (!conversation || !app_id) throw new Rejected('The notification from Intercom names no conversation')
  const event = (id || `${topic}:${conversation}:${created_at ?? ''}`).slice(0, 200)
  return { reply, events: [{ id: event, account: app_id, payload: { topic, conversation } }] }
}

function utf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return ''
  }
}

import { createHash } from 'node:crypto'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { ConversationEvent } from './schema.ts'

const SCHEME: HmacScheme = {
  who: 'Help Scout',
  algorithm: 'sha1',
  encoding: 'base64',
  header: 'x-helpscout-signature',
}

const HOUR_MS = 3_600_000
const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of the connection's webhook. Help Scout signs the raw bytes, so they are verified before they are parsed; a forged
 * or malformed request is `Rejected`. Events have no id and no time, so the id is made of the bytes and the hour: a repeated event is
 * handled once, and a second deletion of a restored conversation is not mistaken for the first. An old request that is sent again does
 * no harm: the conversation is read as it is then.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.webhook_secret ?? '', request, now)
  const type = request.headers['x-helpscout-event']
  if (typeof type !== 'string') throw new Rejected('The event from Help Scout has no name')
  if (!/^convo\.[a-z.-]{1,60}$/.test(type)) return { reply, events: [] }
  const parsed = ConversationEvent.safeParse(parseJson(request.body))
  if (!parsed.success) throw new Rejected('The event from Help Scout could not be parsed')
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const hash = createHash('sha256').update(`${type}\n`).update(request.body).digest('base64url')
  // The request came to the address of one connection. It names no account.
  return { reply, events: [{ id: `${hour}:${hash}`, account: '', payload: { type, conversation: parsed.data.id } }] }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

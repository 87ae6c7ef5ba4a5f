import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { TicketEvent } from './schema.ts'

const SCHEME: HmacScheme = {
  who: 'Zendesk',
  algorithm: 'sha256',
  encoding: 'base64',
  header: 'x-zendesk-webhook-signature',
  timestamp: { header: 'x-zendesk-webhook-signature-timestamp', signed: (timestamp) => timestamp, maxAge: 300 },
}

const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of the connection's webhook. Zendesk signs the time and the raw bytes, so they are verified before they are
 * parsed; a forged, expired or malformed request is `Rejected`. A repeated event has the same id.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.webhook_secret ?? '', request, now)
  const parsed = TicketEvent.safeParse(parseJson(request.body))
  if (!parsed.success) throw new Rejected('The event from Zendesk could not be parsed')
  const { type, id, subject, detail } = parsed.data
  if (!type.startsWith('zen:event-type:ticket.')) return { reply, events: [] }
  const ticket = Number(detail?.id ?? /^zen:ticket:(\d+)$/.exec(subject ?? '')?.[1])
  if (!Number.isSafeInteger(ticket) || ticket <= 0) throw new Rejected('The event from Zendesk names no ticket')
  // Zendesk names its account by a number, not by the subdomain: the address that the request came to says which connection it is.
  return { reply, events: [{ id, account: '', payload: { type, ticket } }] }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

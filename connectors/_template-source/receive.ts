import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'
import { Event } from './schema.ts'

const SCHEME: HmacScheme = {
  who: 'help desk',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-helpdesk-signature',
  prefix: 'sha256=',
  timestamp: { header: 'x-helpdesk-timestamp', signed: (timestamp) => `${timestamp}.`, maxAge: 300 },
}

const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/** Verifies the raw bytes before they are parsed. The event names a message, which `handleEvent` reads again. */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.signing_secret ?? '', request, now)
  const parsed = Event.safeParse(parseJson(Buffer.from(request.body).toString('utf8')))
  if (!parsed.success) throw new Rejected('The event from the help desk could not be parsed')
  const { id, account, type, message } = parsed.data
  return { reply, events: [{ id, account, payload: { type, message: message ?? null } }] }
}

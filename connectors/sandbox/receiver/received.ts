import { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { Webhook } from 'standardwebhooks'

/** One event as the receiver recorded it. The newest 500 are retained. */
export type Received = {
  /** The `webhook-id`; empty when the request had none. */
  id: string
  at: Date
  /** Requests with this event, failed ones too. */
  tries: number
  /** Requests that repeated it after it was accepted. */
  repeats: number
  /** True once an attempt got a 2xx. */
  accepted: boolean
  /** Null while the receiver does not have the secret. */
  verified: boolean | null
  /** What is wrong with it, as text. */
  problem: string | null
  /** True when it had a bearer token. The token itself is not stored. */
  bearer: boolean
  payload: WebhookPayload | null
  raw: string
}

type Verification = Pick<Received, 'id' | 'verified' | 'problem' | 'bearer' | 'payload' | 'raw'>

const KEPT = 500

/** Verifies one request: signature and age with the reference library, then the payload with the contract. */
export function verifyRequest(headers: Record<string, string>, raw: string, secret: string | undefined): Verification {
  const verification: Verification = {
    id: headers['webhook-id'] ?? '',
    verified: null,
    problem: null,
    bearer: headers.authorization?.startsWith('Bearer ') ?? false,
    payload: null,
    raw,
  }
  if (secret !== undefined) {
    try {
      new Webhook(secret).verify(raw, headers, { jsonParse: false })
      verification.verified = true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { ...verification, verified: false, problem: `Signature not verified: ${reason}` }
    }
  }
  try {
    verification.payload = WebhookPayload.parse(JSON.parse(raw))
    if (verification.payload.delivery_id !== verification.id) verification.problem = 'delivery_id is not the webhook-id'
  } catch {
    verification.problem = 'The body does not match the documented payload'
  }
  return verification
}

export type Inbox = {
  /** Adds a request to its event. `accepted`: it will get a 2xx. */
  add(verification: Verification, accepted: boolean, at: Date): Received
  /** Newest first. */
  list(): Received[]
  /** Increases with every request. */
  revision(): number
}

/** Events by their id. A request with an invalid signature never counts as a known event: anyone could send its id. */
export function createInbox(): Inbox {
  const events = new Map<string, Received>()
  let revision = 0
  return {
    add(verification, accepted, at) {
      revision += 1
      const key = verification.verified === false || verification.id === '' ? `unverified ${revision}` : verification.id
      const known = events.get(key)
      const event: Received = known ?? { ...verification, at, tries: 0, repeats: 0, accepted: false }
      event.tries += 1
      if (event.accepted) event.repeats += 1
      event.accepted ||= accepted
      events.set(key, event)
      const oldest = events.keys().next().value
      if (events.size > KEPT && oldest !== undefined) events.delete(oldest)
      return event
    },
    list: () => [...events.values()].toReversed(),
    revision: () => revision,
  }
}

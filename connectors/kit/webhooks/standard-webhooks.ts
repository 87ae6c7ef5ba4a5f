import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** The schedule of Standard Webhooks: seconds after the first, second, … failed attempt; three days in total. */
export const retrySchedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** How long the secret before a rotation also signs, so that receivers can be changed without losing an event. */
export const OLD_SECRET_MS = 24 * 3_600_000

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/**
 * The three headers of Standard Webhooks for one attempt. `webhook-id` is the same on every attempt, the time is not. During a
 * rotation both secrets sign, so a receiver that still has the old one can verify.
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

import { Webhook } from 'standardwebhooks'

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

import type { Context, HttpResponse, PushOutcome, PushRequest } from '../connector.ts'
import { RateLimited, Rejected, Unavailable } from '../kit/errors.ts'
import { retryAfter } from '../kit/http/retry-after.ts'
import { ledgerAnswer, ledgerEntry } from '../kit/ledger.ts'
import { signatureHeaders } from '../kit/webhooks/standard-webhooks.ts'
import { WebhookSecrets } from './manifest.ts'

/**
 * Sends one event as one signed POST. Only 2xx is success. 410 is final; every other response, redirects and refusals included,
 * is a failed attempt of the schedule, because a receiver is often repaired within three days.
 */
export async function push(context: Context, request: PushRequest): Promise<PushOutcome> {
  const secrets = WebhookSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new Rejected('The webhook is not set up: connect it again')
  const { webhook, client_token, signing_secret, signing_secret_old } = secrets.data
  const body = JSON.stringify(request.payload)
  const signing = signing_secret_old ? [signing_secret, signing_secret_old] : [signing_secret]
  const answer = await context.http.request({
    method: 'POST',
    url: webhook,
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders(request.deliveryId, context.now(), body, signing),
      ...(client_token ? { authorization: `Bearer ${client_token}` } : {}),
    },
    body,
    signal: context.signal,
  })
  refuse(answer, context.now(), [client_token])
  return {
    status: answer.status,
    answer: ledgerAnswer(answer.body, [client_token]),
    durationMs: answer.durationMs,
    remote: null,
  }
}

function refuse(answer: HttpResponse, now: Date, secrets: readonly (string | null | undefined)[]): void {
  const { status } = answer
  if (status >= 200 && status < 300) return
  const message = wordsFor(status)
  const options = { ledger: ledgerEntry(answer, message, secrets), retryAfter: retryAfter(answer.headers, now) }
  if (status === 410) throw new Rejected(message, { ledger: options.ledger, gone: true })
  if (status === 429) throw new RateLimited(message, options)
  throw new Unavailable(message, options)
}

function wordsFor(status: number): string {
  if (status === 410) return 'The endpoint returned 410 Gone. The webhook is paused'
  if (status === 429) return 'The endpoint returned 429: too many requests'
  if (status === 401 || status === 403) return `The endpoint returned ${status}: check the client token`
  if (status >= 300 && status < 400) {
    return `The endpoint returned ${status}, a redirect. Redirects are not followed: enter the final URL`
  }
  return `The endpoint returned ${status} instead of 2xx`
}

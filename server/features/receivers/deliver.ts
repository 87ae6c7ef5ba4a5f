import { isConnectorFailure } from '@groundswell/connectors/kit/errors.ts'
import { createHttp } from '@groundswell/connectors/kit/http/http.ts'
import { retryAfter } from '@groundswell/connectors/kit/http/retry-after.ts'
import { retrySchedule, signatureHeaders } from '@groundswell/connectors/kit/webhooks/standard-webhooks.ts'
import { defineCache } from '../../platform/caches.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { writeBody } from './body.ts'
import { type ClaimedDelivery, claimDelivery, freezePayload, settleDelivery } from './delivery-store.ts'
import { openReceiver, type ReceiverSecrets, signingSecrets } from './secrets.ts'
import { noteAttempt, readReceiver, setDisabled } from './store.ts'

/** From the first byte sent to the last byte of the reply. */
const TIMEOUT_MS = 15_000
/** Bytes of a reply that are read; its content is not used. */
const MAX_REPLY_BYTES = 2_048
/** How long a claimed delivery belongs to its worker: longer than an attempt can take. */
const CLAIM_MS = 60_000
/** A receiver that replies quickly gets many events in one turn; a slow one makes way for others after one. */
const TURN_MS = 5_000
const MAX_ATTEMPTS_PER_TURN = 100
/** A receiver is disabled when every attempt of this time failed. */
const FAILING_MS = 5 * 86_400_000
/** Pauses vary by a fifth either way, so that deliveries that failed together are not sent again together. */
const JITTER = 0.2
const MAX_WORDS = 500

const clients = defineCache('client of receivers', ({ config }) =>
  createHttp({
    guard: { allow: config.allowPrivateAddresses },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_REPLY_BYTES,
  }),
)

type Attempt = ClaimedDelivery & { body: string; secrets: ReceiverSecrets | null }

/** How a turn ended. `isOver`: more may be due. `retryAt`: when the first of its failed deliveries is sent again; null: there is none. */
type Turn = { isOver: boolean; retryAt: Date | null }

/** A reply, or why there was none. `wait`: the least number of seconds to wait, where the receiver says so. */
type Outcome = { status: number | null; error: string | null; wait: number }

/**
 * Sends the due deliveries of one receiver, one after the other, until nothing is due or its turn is over. Each attempt is committed before the
 * request, and its outcome after it: after a crash between the two, the delivery is sent again with the same id and body.
 */
export async function deliverTo(
  services: Services,
  workspaceId: string,
  receiverId: string,
  signal: AbortSignal,
): Promise<Turn> {
  const began = performance.now()
  let retryAt: Date | null = null
  for (let made = 0; ; made += 1) {
    if (signal.aborted || made >= MAX_ATTEMPTS_PER_TURN || performance.now() - began > TURN_MS) {
      return { isOver: true, retryAt }
    }
    const attempt = await inWorkspace(services.db, workspaceId, (tx) => claim(services, tx, workspaceId, receiverId))
    if (!attempt) return { isOver: false, retryAt }
    const outcome = await send(services, attempt, signal)
    // This worker is stopping: it is unknown whether the request arrived, and another worker sends it again once the claim expires.
    if (signal.aborted && outcome.error !== null) return { isOver: true, retryAt }
    const dueAt = await inWorkspace(services.db, workspaceId, (tx) =>
      record(services, tx, { workspaceId, receiverId, attempt, outcome }),
    )
    if (dueAt && (!retryAt || dueAt < retryAt)) retryAt = dueAt
  }
}

async function claim(services: Services, tx: Tx, workspaceId: string, receiverId: string): Promise<Attempt | null> {
  const receiver = await readReceiver(tx, workspaceId, receiverId)
  if (!receiver || receiver.disabledBecause !== null) return null
  const now = services.now()
  const claimed = await claimDelivery(tx, workspaceId, receiverId, { now, until: new Date(now.getTime() + CLAIM_MS) })
  if (!claimed) return null
  const { event } = claimed
  const body =
    event.payload ?? (await freezePayload(tx, workspaceId, event.id, await writeBody(services, tx, workspaceId, event)))
  return { ...claimed, body, secrets: openReceiver(services, receiver) }
}

async function send(services: Services, { event, body, secrets }: Attempt, signal: AbortSignal): Promise<Outcome> {
  if (!secrets)
    return { status: null, error: 'The URL and the secret can no longer be decrypted: enter them again', wait: 0 }
  const now = services.now()
  try {
    const { status, headers } = await services.caches.of(clients).request({
      method: 'POST',
      url: secrets.url,
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders(event.id, now, body, signingSecrets(secrets, now)),
      },
      body,
      signal,
    })
    return { status, error: wordsFor(status), wait: retryAfter(headers, now) ?? 0 }
  } catch (error) {
    if (!isConnectorFailure(error)) throw error
    return { status: error.ledger?.status ?? null, error: error.message.slice(0, MAX_WORDS), wait: 0 }
  }
}

/** The error for a reply; null: it was accepted. */
function wordsFor(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'The receiver replied 410 Gone'
  if (status >= 300 && status < 400) {
    return `The receiver replied ${status}, a redirect. Redirects are not followed: enter the final URL`
  }
  return `The receiver replied ${status} instead of 2xx`
}

type Made = { workspaceId: string; receiverId: string; attempt: Attempt; outcome: Outcome }

/** Records the outcome and returns when the next attempt is made; null: none is. */
async function record(
  services: Services,
  tx: Tx,
  { workspaceId, receiverId, attempt, outcome }: Made,
): Promise<Date | null> {
  const { status, error, wait } = outcome
  const now = services.now()
  const receiver = await readReceiver(tx, workspaceId, receiverId, { lock: true })
  if (!receiver) return null
  // An address that was replaced while it was asked says nothing about the new one.
  const gone = status === 410 && openReceiver(services, receiver)?.url === attempt.secrets?.url
  const pause = error === null || gone ? undefined : retrySchedule[attempt.failures]
  const spread = pause === undefined ? null : Math.max(wait, pause * (1 - JITTER + 2 * JITTER * Math.random()))
  const dueAt = spread === null ? null : new Date(now.getTime() + spread * 1000)
  if (!(await settleDelivery(tx, workspaceId, attempt, { status, error, dueAt }))) return null
  const since = await noteAttempt(tx, workspaceId, receiverId, { failed: error !== null, at: now })
  const isFailing = since !== null && now.getTime() - since.getTime() >= FAILING_MS
  if (!gone && !isFailing) return dueAt
  await setDisabled(tx, workspaceId, receiverId, gone ? 'gone' : 'failing', now)
  services.log.warn(
    { workspace: workspaceId, receiver: receiverId, reason: gone ? 'gone' : 'failing' },
    'a receiver was disabled',
  )
  return null
}

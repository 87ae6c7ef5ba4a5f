import type { PushOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { AppRefused, ItemGone, isConnectorFailure, Rejected } from '@groundswell/connectors/kit/errors.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, noteConnectionError, pauseConnection, signOut } from '../connections/index.ts'
import { markPushed } from '../insights/index.ts'
import { considerPush } from './ask.ts'
import { deliveryOutcomes } from './outcomes.ts'
import { sendDue } from './send-job.ts'
import {
  countRateLimited,
  type DeliveryRow,
  type StoredWait,
  storeAttempt,
  storeDelivered,
  storeFailure,
} from './store.ts'
import { countItems } from './trackers/remote-item-store.ts'
import { storePostponed } from './trackers/tracker-delivery-store.ts'

/** A delivery that this worker has leased for one attempt. */
export type Claim = {
  delivery: DeliveryRow & { payload: string }
  attempt: number
  connection: Connection
  beganAt: Date
  leaseUntil: Date
}

/** A delivery that will not be retried automatically. */
class DeliveryFailed extends Error {
  override name = 'DeliveryFailed'
  readonly kind = 'rejected'
}

/** Pauses vary by a fifth either way, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
const MAX_WORDS = 500
/** The longest pause after a 429 that does not say how long to wait. */
const MAX_RATE_LIMIT_SECONDS = 3600

/** Records a successful attempt, and considers an update for what was added meanwhile. */
export async function recordSuccess(
  services: Services,
  workspaceId: string,
  { delivery, attempt, connection, beganAt }: Claim,
  outcome: PushOutcome,
): Promise<void> {
  await inWorkspace(services.db, workspaceId, async (tx) => {
    if (!(await isClosedEverywhere(tx, workspaceId, delivery.issueNumber))) {
      await markPushed(tx, workspaceId, delivery.issueNumber)
    }
    await storeAttempt(tx, workspaceId, delivery.id, {
      number: attempt,
      at: beganAt,
      durationMs: outcome.durationMs,
      status: outcome.status,
      error: null,
      answer: storable(outcome.answer),
    })
    await storeDelivered(tx, workspaceId, delivery.id, {
      status: outcome.status,
      remoteId: outcome.remote?.id ?? null,
      remoteUrl: safeLink(outcome.remote?.url),
      notice: outcome.notice?.slice(0, MAX_WORDS) ?? null,
      at: services.now(),
    })
    await noteConnectionError(tx, workspaceId, connection.id, null)
    await considerPush(services)(tx, workspaceId, [delivery.issueNumber])
  })
  services.caches.of(deliveryOutcomes).delivered += 1
}

/**
 * Records a failed attempt and schedules the next one by the kind of failure. Where the sign-in was lost, the delivery waits until
 * the destination is connected again. Throws when there is no next attempt, unless only the replay of a delivered event failed.
 */
export async function recordFailure(
  services: Services,
  workspaceId: string,
  { delivery, attempt, connection, beganAt }: Claim,
  error: unknown,
): Promise<void> {
  const known = isConnectorFailure(error) || typeof (error as { kind?: unknown } | null)?.kind === 'string'
  const failure = readFailure(error)
  const ledger = isConnectorFailure(error) ? error.ledger : undefined
  const words = known
    ? failure.message.slice(0, MAX_WORDS)
    : 'Something went wrong on this server before a response arrived'
  if (!known) services.log.error({ delivery: delivery.id, err: error }, 'a delivery failed with an unexpected error')
  const signedOut = failure.kind === 'auth'
  const gone = error instanceof Rejected && error.gone
  const itemGone = error instanceof ItemGone
  const appRefused = error instanceof AppRefused
  const now = services.now()
  const planned = await inWorkspace(services.db, workspaceId, async (tx): Promise<'next' | 'ended' | 'taken'> => {
    const limited = await countRateLimited(tx, workspaceId, delivery.id)
    const pause =
      failure.kind === 'rejected' || signedOut
        ? null
        : pauseAfter(connection.connector, { attempt, limited, appRefused }, failure)
    const seconds = signedOut ? 0 : (pause?.seconds ?? null)
    await storeAttempt(tx, workspaceId, delivery.id, {
      number: attempt,
      at: beganAt,
      durationMs: ledger?.durationMs ?? Math.max(0, now.getTime() - beganAt.getTime()),
      status: ledger?.status ?? null,
      error: words,
      answer: storable(ledger?.answer ?? null),
    })
    const nextAttemptAt = seconds === null ? null : new Date(now.getTime() + seconds * 1000)
    const status = ledger?.status ?? null
    const waitsFor = pause?.waitsFor ?? null
    const outcome = { status, error: words, nextAttemptAt, waitsFor }
    if (!(await storeFailure(tx, workspaceId, delivery.id, attempt, outcome))) return 'taken'
    if (signedOut) {
      await signOut(tx, connection, words)
      return 'next'
    }
    if (gone) await pauseConnection(tx, workspaceId, connection.id, words)
    else if ((seconds === null || appRefused) && !itemGone)
      await noteConnectionError(tx, workspaceId, connection.id, words)
    if (seconds !== null) {
      await sendDue(services, workspaceId, [{ id: delivery.id, attempts: attempt, seconds: Math.ceil(seconds) }], tx)
    }
    return seconds === null ? 'ended' : 'next'
  })
  if (planned !== 'taken') {
    const outcome = signedOut ? 'signed_out' : planned === 'next' ? 'retried' : 'failed'
    services.caches.of(deliveryOutcomes)[outcome] += 1
  }
  if (planned === 'ended' && !gone && !itemGone && delivery.deliveredAt === null) throw new DeliveryFailed(words)
}

/** Records that an attempt came too early, which is not a failure. */
export async function recordPostponed(
  services: Services,
  workspaceId: string,
  { delivery, attempt }: Claim,
  until: Date,
): Promise<void> {
  const seconds = Math.max(1, Math.ceil((until.getTime() - services.now().getTime()) / 1000))
  await inWorkspace(services.db, workspaceId, async (tx) => {
    if (!(await storePostponed(tx, workspaceId, delivery.id, attempt, until))) return
    await sendDue(services, workspaceId, [{ id: delivery.id, attempts: attempt - 1, seconds }], tx)
  })
  services.caches.of(deliveryOutcomes).postponed += 1
}

/** Whether every tracker has closed its item: an update that went out does not end the regression of such an insight. */
async function isClosedEverywhere(tx: Tx, workspaceId: string, issueNumber: number): Promise<boolean> {
  const { there, open } = await countItems(tx, workspaceId, issueNumber)
  return there > 0 && open === 0
}

/**
 * The pause before the next attempt and its reason, or null when the connector's schedule has ended. An attempt that was refused
 * with 429 is not counted: the destination works, so it is no step toward giving up. `limited`: how many such attempts came
 * before this one. Nothing is given up either while the destination does not accept the app (`appRefused`): nothing was sent.
 */
function pauseAfter(
  connector: string,
  { attempt, limited, appRefused }: { attempt: number; limited: number; appRefused: boolean },
  { kind, retryAfter = 0 }: { kind: string; retryAfter?: number | undefined },
): { seconds: number; waitsFor: StoredWait } | null {
  const schedule = connectorById(connector)?.retrySchedule ?? []
  const isLimited = kind === 'rate-limited'
  const last = appRefused ? schedule.at(-1) : undefined
  const planned = isLimited ? rateLimitPause(schedule, limited) : (schedule[attempt - limited - 1] ?? last)
  if (planned === undefined) return null
  const spread = planned * (1 - JITTER + 2 * JITTER * Math.random())
  if (retryAfter > spread) return { seconds: retryAfter, waitsFor: 'retry-after' }
  return { seconds: spread, waitsFor: isLimited ? 'rate-limited' : 'retry' }
}

/** Grows with each 429 like the schedule, and never ends. */
function rateLimitPause(schedule: readonly number[], limited: number): number {
  return Math.min(schedule[limited] ?? MAX_RATE_LIMIT_SECONDS, MAX_RATE_LIMIT_SECONDS)
}

/** A reply may contain characters that PostgreSQL's text cannot store. */
function storable(answer: string | null): string | null {
  return answer === null ? null : answer.replaceAll('\0', '').toWellFormed()
}

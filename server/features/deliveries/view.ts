import { withProviderMessage } from '@groundswell/connectors/kit/text/provider-message.ts'
import type { Attempt, Delivery, ResendState, WaitReason } from '@groundswell/contract/deliveries.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { z } from 'zod'
import type { AttemptRow, DeliveryRow } from './store.ts'

const MAX_DATE_MS = 8_640_000_000_000_000
const Place = z.tuple([z.int().min(-MAX_DATE_MS).max(MAX_DATE_MS), z.uuid()])

/** A delivery as the calls return it. `now` decides whether its pause is over. */
export function viewDelivery(stored: DeliveryRow, now: Date): Delivery {
  const row = { ...stored, state: stateAt(stored, now) }
  const waitsFor = waitReason(row, now)
  const timed = waitsFor !== null && TIMED.has(waitsFor)
  return {
    id: row.id,
    event_id: row.eventId,
    destination: row.connector,
    issue_number: row.issueNumber,
    issue_name: row.issueName,
    event: row.event,
    state: row.deliveredAt === null ? row.state : 'delivered',
    again: resendState(row),
    attempts: row.attempts,
    last_status: row.lastStatus,
    last_error: row.lastError && withProviderMessage(row.lastError, row.lastAnswer),
    notice: row.notice,
    next_attempt_at: timed ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    waits_for: waitsFor,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    remote_url: row.remoteUrl,
    remote: row.remote,
  }
}

/** An attempt whose worker is gone is made again: nothing is being sent. */
function stateAt({ state, leaseUntil }: DeliveryRow, now: Date): DeliveryRow['state'] {
  return state === 'sending' && leaseUntil !== null && leaseUntil <= now ? 'waiting' : state
}

/** How sending a delivery again goes; null if it was never delivered. */
function resendState({ deliveredAt, state, lastError }: DeliveryRow): ResendState | null {
  if (deliveredAt === null) return null
  if (state === 'waiting' || state === 'sending') return state
  return lastError === null ? null : 'failed'
}

/** The reasons that end at a known time. */
const TIMED: ReadonlySet<WaitReason> = new Set(['due', 'retry', 'retry-after', 'rate-limited', 'hourly', 'confirming'])

function waitReason(row: DeliveryRow, now: Date): WaitReason | null {
  if (row.state !== 'waiting') return null
  if (row.waitsFor === 'held') return 'held'
  if (row.signedOut) return 'signed-out'
  if (row.paused) return 'paused'
  if (!row.nextAttemptAt || row.nextAttemptAt <= now) return 'due'
  return row.waitsFor ?? (row.attempts > 0 ? 'retry' : 'due')
}

/** An attempt as the calls return it: the error with what the provider said. */
export function viewAttempt(row: AttemptRow): Attempt {
  return {
    number: row.number,
    at: row.at.toISOString(),
    duration_ms: row.durationMs,
    status: row.status,
    error: row.error && withProviderMessage(row.error, row.answer),
    answer: row.answer,
  }
}

/** Where the next page of the ledger begins, as an opaque text. */
export function writeCursor({ createdAt, id }: Pick<DeliveryRow, 'createdAt' | 'id'>): string {
  return Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url')
}

/** Reads what `writeCursor` wrote; anything else is refused as `invalid_input`. */
export function readCursor(cursor: string): { createdAt: Date; id: string } {
  try {
    const [createdAt, id] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { createdAt: new Date(createdAt), id }
  } catch {
    throw new ContractError('invalid_input', 'This cursor is not valid', { 'query.cursor': 'not a cursor' })
  }
}

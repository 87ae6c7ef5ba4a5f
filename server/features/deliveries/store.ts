import type { RemoteItemView } from '@groundswell/contract/deliveries.ts'
import type { CountBy } from '@groundswell/contract/settings.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { connectionsView } from '../connections/index.ts'
import { broughtByReview, described, guessedInsights, insightsView, shownName } from '../insights/index.ts'
import { isGoneAt, isTitledOtherwise, itemOfDelivery } from './trackers/remote-item-store.ts'

export type DeliveryEvent = 'insight.created' | 'insight.updated'

/** Why a delivery waits, as it is stored; null: it is due. */
export type StoredWait = 'held' | 'hourly' | 'retry' | 'retry-after' | 'rate-limited' | 'confirming'

/** When an insight is pushed automatically: `least` is the minimum of `of`, its mentions, people or customers. */
export type Threshold = { least: number; of: CountBy; named?: boolean }

const COUNTS = { mentions: 'mention_count', people: 'people_count', customers: 'customer_count' } as const

/** One event of one insight for one destination. `payload` is the text that is sent, once it has been built. */
export type DeliveryRow = {
  id: string
  connectionId: string
  connector: string
  issueNumber: number
  issueName: string
  event: DeliveryEvent
  eventId: string
  /** What is to be done with it. One that was delivered waits too when it is sent again: `deliveredAt` says that it was. */
  state: 'waiting' | 'sending' | 'delivered' | 'failed'
  payload: string | null
  heard: number | null
  lost: number
  frozenAt: Date | null
  attempts: number
  leaseUntil: Date | null
  nextAttemptAt: Date | null
  lastStatus: number | null
  lastError: string | null
  /** What the destination answered to the attempt that `lastError` is about. */
  lastAnswer: string | null
  /** What the attempt that delivered it left out. */
  notice: string | null
  createdAt: Date
  deliveredAt: Date | null
  remoteUrl: string | null
  /** The tracker's item as it is now. */
  remote: RemoteItemView | null
  waitsFor: StoredWait | null
  /** Its destination is paused, or its sign-in was lost. */
  paused: boolean
  signedOut: boolean
  /** False while its destination is paused, signed out or no longer connected. */
  open: boolean
}

export type AttemptRow = {
  number: number
  at: Date
  durationMs: number
  status: number | null
  error: string | null
  answer: string | null
}

/** A delivery that is to be sent, and in how many seconds. */
export type Due = { id: string; attempts: number; seconds: number }

/** Minimum interval between updates of one insight to one destination. */
export const UPDATE_HOURS = 1

const TOO_MANY_REQUESTS = 429

/** The state of a delivery after its last attempt has failed: what was delivered once stays delivered. */
const endedState = sql`case when delivery.delivered_at is null then 'failed' else 'delivered' end`

const shownState = (now: Date) => sql`case when delivery.delivered_at is not null then 'delivered'
  when delivery.state = 'sending' and delivery.lease_until <= ${now} then 'waiting' else delivery.state end`

/** Its destination takes deliveries now. */
const isOpen = sql`(connection.live and not connection.paused and not connection.signed_out)`

const lastAnswer = sql`(select answer from attempt where attempt.workspace_id = delivery.workspace_id
  and attempt.delivery_id = delivery.id and attempt.number = delivery.attempts and attempt.error = delivery.last_error)`

const columns = sql`delivery.id, delivery.connection_id as "connectionId", connection.connector,
  delivery.issue_number as "issueNumber", ${shownName} as "issueName", delivery.event, delivery.event_id as "eventId",
  delivery.state, delivery.payload, delivery.heard, delivery.lost, delivery.frozen_at as "frozenAt", delivery.attempts,
  delivery.lease_until as "leaseUntil", delivery.next_attempt_at as "nextAttemptAt",
  delivery.last_status as "lastStatus", delivery.last_error as "lastError", ${lastAnswer} as "lastAnswer", delivery.notice, delivery.created_at as "createdAt",
  delivery.delivered_at as "deliveredAt",
  delivery.remote_url as "remoteUrl", ${itemOfDelivery} as remote, delivery.waits_for as "waitsFor", connection.paused,
  connection.signed_out as "signedOut", ${isOpen} as open`

const joined = (workspaceId: string) => sql`delivery
  join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = delivery.connection_id
  join ${insightsView} insight on insight.workspace_id = ${workspaceId} and insight.issue_number = delivery.issue_number
  ${described}`

/** One delivery; null when there is none. `lock` keeps others from changing it until the transaction ends. */
export async function readDelivery(
  tx: Tx,
  workspaceId: string,
  id: string,
  options: { lock?: boolean } = {},
): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${joined(workspaceId)}
    where delivery.workspace_id = ${workspaceId} and delivery.id = ${id}
    ${options.lock ? sql`for update of delivery` : sql``}`.execute(tx)
  return rows[0] ?? null
}

/** All deliveries of one insight to one destination, oldest first, locked until the transaction ends. */
export async function lockDeliveriesOf(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${joined(workspaceId)}
    where delivery.workspace_id = ${workspaceId} and delivery.connection_id = ${connectionId}
      and delivery.issue_number = ${issueNumber}
    order by delivery.window_hour for update of delivery`.execute(tx)
  return rows
}

/**
 * The ledger, newest first, a page at a time. `state` is the one that people see: what was delivered once stays delivered, and an attempt whose worker is
 * gone waits to be made again.
 */
export async function listRows(
  tx: Tx,
  workspaceId: string,
  filter: { connector?: string; state?: string; issueNumber?: number; after?: { createdAt: Date; id: string } },
  { limit, now }: { limit: number; now: Date },
): Promise<DeliveryRow[]> {
  const { connector, state, issueNumber, after } = filter
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from ${joined(workspaceId)}
    where delivery.workspace_id = ${workspaceId}
      ${connector === undefined ? sql`` : sql`and connection.connector = ${connector}`}
      ${state === undefined ? sql`` : sql`and ${shownState(now)} = ${state}`}
      ${issueNumber === undefined ? sql`` : sql`and delivery.issue_number = ${issueNumber}`}
      ${after ? sql`and (delivery.created_at, delivery.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}
    order by delivery.created_at desc, delivery.id desc limit ${limit}`.execute(tx)
  return rows
}

export async function readAttempts(tx: Tx, workspaceId: string, deliveryId: string): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, at, duration_ms as "durationMs", status, error, answer from attempt
    where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} order by number`.execute(tx)
  return rows
}

/**
 * Adds the first delivery of every insight that has reached the threshold, once for each destination, and returns what
 * was added. `numbers` limits it to these issues; `held` keeps them back until a person chooses them.
 */
export async function addCreated(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { threshold, numbers, now, held }: { threshold: Threshold; numbers?: readonly number[]; now: Date; held: boolean },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, next_attempt_at, created_at,
      waits_for, automatic)
    select ${workspaceId}::uuid, ${connectionId}::uuid, issue_number, 'insight.created', 0,
      ${held ? null : now}::timestamptz, ${now}::timestamptz, ${held ? 'held' : null}::text, ${!held}::boolean
    from ${insightsView} insight
    where workspace_id = ${workspaceId} ${only(numbers)} and ${pushable} and ${reaches(threshold)}
      and not exists (select 1 from delivery made where made.workspace_id = ${workspaceId}
        and made.connection_id = ${connectionId} and made.issue_number = insight.issue_number
        and made.event = 'insight.created')
    order by issue_number
    on conflict (workspace_id, connection_id, issue_number, event, window_hour) do nothing
    returning id, attempts, 0 as seconds`.execute(tx)
  return rows
}

/**
 * Adds an update for every insight with mentions that were in no delivery yet, or without some that were, or with another name than the title of its
 * item, due an hour after the last update at the earliest. Nothing is added while an event is in progress: one not yet started will contain the newest
 * mentions anyway, and after one that was started this runs again. The lock guarantees that either the sender sees what this transaction wrote, or
 * this transaction sees that the sender has finished.
 */
export async function addUpdates(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  numbers: readonly number[] | undefined,
  now: Date,
): Promise<Due[]> {
  await sql`
    select 1 from delivery
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and state in ('waiting', 'sending')
      ${only(numbers)}
    order by id for update`.execute(tx)
  const { rows } = await sql<Due>`
    insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, next_attempt_at, created_at,
      waits_for)
    select ${workspaceId}::uuid, ${connectionId}::uuid, insight.issue_number, 'insight.updated',
      greatest(floor(extract(epoch from due) / 3600)::bigint, sent.last_window + 1), due, ${now}::timestamptz,
      case when due > ${now}::timestamptz then 'hourly' end
    from ${insightsView} insight
    cross join lateral (
      select max(window_hour) as last_window,
        max(frozen_at) filter (where event = 'insight.updated') as last_update,
        (array_agg(heard order by frozen_at desc) filter (where frozen_at is not null))[1] as heard,
        (array_agg(lost order by frozen_at desc) filter (where frozen_at is not null))[1] as lost,
        coalesce(bool_or(event = 'insight.created' and delivered_at is not null), false) as known,
        coalesce(bool_or(state in ('waiting', 'sending')), false) as busy
      from delivery
      where workspace_id = ${workspaceId} and connection_id = ${connectionId} and issue_number = insight.issue_number
    ) sent
    cross join lateral (
      select greatest(${now}::timestamptz, sent.last_update + ${UPDATE_HOURS}::int * interval '1 hour') as due
    ) schedule
    where insight.workspace_id = ${workspaceId} ${only(numbers)} and not ${isGoneAt(workspaceId, connectionId)}
      and sent.known and not sent.busy and (
        (${pushable} and (insight.heard > sent.heard or ${isTitledOtherwise(workspaceId, connectionId)})) or ((${pushable} or ${withdrawn}) and insight.lost > sent.lost))
    order by insight.issue_number
    on conflict (workspace_id, connection_id, issue_number, event, window_hour) do nothing
    returning id, attempts, ceil(extract(epoch from (next_attempt_at - ${now}::timestamptz)))::int as seconds`.execute(
    tx,
  )
  return rows
}

/** Adds one delivery that a person requested, due now. Null when there is already one from the same hour. */
export async function addAsked(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
  event: DeliveryEvent,
  now: Date,
): Promise<Due | null> {
  const { rows } = await sql<Due>`
    insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, next_attempt_at, created_at)
    select ${workspaceId}::uuid, ${connectionId}::uuid, ${issueNumber}::int, ${event}::text,
      case when ${event}::text = 'insight.created' then 0 else greatest(
        floor(extract(epoch from ${now}::timestamptz) / 3600)::bigint,
        (select coalesce(max(window_hour), 0) + 1 from delivery where workspace_id = ${workspaceId}
          and connection_id = ${connectionId} and issue_number = ${issueNumber})) end,
      ${now}::timestamptz, ${now}::timestamptz
    on conflict (workspace_id, connection_id, issue_number, event, window_hour) do nothing
    returning id, attempts, 0 as seconds`.execute(tx)
  return rows[0] ?? null
}

/** Deliveries to open destinations that can be sent now, oldest first: due ones, and those whose lease has expired. */
export async function readDue(tx: Tx, workspaceId: string, now: Date, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select delivery.id, delivery.attempts, 0 as seconds from delivery
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = delivery.connection_id
    where delivery.workspace_id = ${workspaceId} and ${isOpen}
      and ((delivery.state = 'waiting' and delivery.next_attempt_at <= ${now})
        or (delivery.state = 'sending' and delivery.lease_until <= ${now}))
    order by delivery.next_attempt_at limit ${limit}`.execute(tx)
  return rows
}

/** Fails what waits for a destination that was disconnected. Held deliveries are removed, and replays are dropped. */
export async function failDisconnected(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await sql`
    delete from delivery using ${connectionsView} connection
    where delivery.workspace_id = ${workspaceId} and delivery.waits_for = 'held'
      and connection.workspace_id = ${workspaceId} and connection.id = delivery.connection_id
      and not connection.live`.execute(tx)
  await sql`
    update delivery
    set state = ${endedState}, next_attempt_at = null, waits_for = null,
      last_error = 'The destination was disconnected before this was sent'
    from ${connectionsView} connection
    where delivery.workspace_id = ${workspaceId} and connection.workspace_id = ${workspaceId}
      and connection.id = delivery.connection_id and not connection.live
      and (delivery.state = 'waiting' or (delivery.state = 'sending' and delivery.lease_until <= ${now}))`.execute(tx)
}

/** Leases a delivery for one attempt. */
export async function beginAttempt(
  tx: Tx,
  workspaceId: string,
  delivery: Pick<DeliveryRow, 'id' | 'payload' | 'heard' | 'lost' | 'frozenAt'>,
  leaseUntil: Date,
): Promise<void> {
  await sql`
    update delivery set state = 'sending', attempts = attempts + 1, lease_until = ${leaseUntil}, waits_for = null,
      payload = ${delivery.payload}, heard = ${delivery.heard}::int, lost = ${delivery.lost}::int,
      frozen_at = ${delivery.frozenAt}::timestamptz
    where workspace_id = ${workspaceId} and id = ${delivery.id}`.execute(tx)
}

/** Removes a delivery that was never sent. */
export async function removeUnsent(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`
    delete from delivery where workspace_id = ${workspaceId} and id = ${id} and payload is null`.execute(tx)
}

/** Writes one attempt into the ledger. A known outcome replaces an unknown one. */
export async function storeAttempt(
  tx: Tx,
  workspaceId: string,
  deliveryId: string,
  attempt: AttemptRow,
  options: { unlessKnown?: boolean } = {},
): Promise<void> {
  const { number, at, durationMs, status, error, answer } = attempt
  await sql`
    insert into attempt (workspace_id, delivery_id, number, at, duration_ms, status, error, answer)
    values (${workspaceId}, ${deliveryId}, ${number}, ${at}, ${Math.round(durationMs)}, ${status}, ${error}, ${answer})
    on conflict (workspace_id, delivery_id, number) ${
      options.unlessKnown
        ? sql`do nothing`
        : sql`do update set at = excluded.at, duration_ms = excluded.duration_ms, status = excluded.status,
            error = excluded.error, answer = excluded.answer`
    }`.execute(tx)
}

/** Records that the destination has the event, whichever attempt it was. */
export async function storeDelivered(
  tx: Tx,
  workspaceId: string,
  id: string,
  outcome: { status: number; remoteId: string | null; remoteUrl: string | null; notice: string | null; at: Date },
): Promise<void> {
  await sql`
    update delivery set state = 'delivered', lease_until = null, next_attempt_at = null, last_status = ${outcome.status},
      last_error = null, notice = ${outcome.notice}::text, delivered_at = ${outcome.at}, remote_id = coalesce(${outcome.remoteId}::text, remote_id),
      remote_url = coalesce(${outcome.remoteUrl}::text, remote_url)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** How many attempts of a delivery the destination answered with 429: too many requests. */
export async function countRateLimited(tx: Tx, workspaceId: string, deliveryId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from attempt
    where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} and status = ${TOO_MANY_REQUESTS}`.execute(tx)
  return rows[0]?.count ?? 0
}

/**
 * Records a failed attempt: the next one is at `nextAttemptAt`; null: there is none, and the delivery has failed. One that the
 * destination already has stays delivered: only its replay failed. Does nothing and returns false when another worker has
 * taken the delivery meanwhile.
 */
export async function storeFailure(
  tx: Tx,
  workspaceId: string,
  id: string,
  attempt: number,
  failure: { status: number | null; error: string; nextAttemptAt: Date | null; waitsFor: StoredWait | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update delivery set state = ${failure.nextAttemptAt ? sql`'waiting'` : endedState}, lease_until = null,
      next_attempt_at = ${failure.nextAttemptAt}::timestamptz, last_status = ${failure.status}::int,
      last_error = ${failure.error}, waits_for = ${failure.waitsFor}::text
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and attempts = ${attempt}`.execute(tx)
  return numAffectedRows === 1n
}

/** Makes a delivery due now because a person asked, whatever its state. */
export async function makeDue(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`
    update delivery set state = 'waiting', lease_until = null, next_attempt_at = ${now}, waits_for = null, automatic = false
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Insights that may be pushed automatically. */
export const pushable = sql`insight.shown and insight.status in ('created', 'regressed', 'pushed')`

/**
 * Insights that have reached the threshold, and are not mostly praise or small talk: those a person pushes. Copies of few texts by few authors do not
 * reach it, nor what a review by a language model moved there; different customers are evidence even in the same words. `named`: nor one whose name is a guess. */
export function reaches({ least, of, named }: Threshold) {
  const count = sql.ref(`insight.${COUNTS[of]}`)
  const independent = of === 'customers' ? sql`true` : sql`coalesce(insight.independent_count >= ${least}::int, true)`
  return sql`(not insight.is_chatter and ${independent} and ${count} >= ${least}::int and ${count} - ${broughtByReview} >= ${least}::int and (not ${named ?? false}::boolean or (insight.workspace_id, insight.issue_number) not in ${guessedInsights}))`
}
/** No longer shown because its messages were deleted, not because a person decided it. */
const withdrawn = sql`insight.deleted_at is null and insight.merged_into is null
  and (insight.ended_at is not null or insight.hidden) and insight.status in ('created', 'regressed', 'pushed')`

function only(numbers: readonly number[] | undefined) {
  return numbers ? sql`and issue_number = any(${[...numbers]}::int[])` : sql``
}

/** Whether a delivery to an open destination waits or is being sent. */
export async function isAnyUnderWay(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from delivery
      join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = delivery.connection_id
      where delivery.workspace_id = ${workspaceId} and ${isOpen} and delivery.state in ('waiting', 'sending')
        and delivery.waits_for is distinct from 'held') as found`.execute(tx)
  return rows[0]?.found ?? false
}

import { TEST_EVENT } from '@groundswell/contract/receivers/outgoing-event.ts'
import type { ReceiverDelivery } from '@groundswell/contract/receivers.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { statementsView } from '../insights/index.ts'

const FORGOTTEN_AT_ONCE = 10_000

/** What happened, as the triggers noted it. `changed`: the values before, by field. `payload`: null: not written yet. */
export type EventRow = {
  id: string
  type: string
  issueNumber: number | null
  mergedInto: number | null
  changed: Record<string, string | null>
  happenedAt: Date
  payload: string | null
}

/** A delivery that this worker makes an attempt at. `failures`: those before it. */
export type ClaimedDelivery = { id: string; attempts: number; failures: number; event: EventRow }

/** A delivery as the list shows it. */
export type DeliveryRow = Omit<ReceiverDelivery, 'happened_at' | 'due_at' | 'attempted_at'> & {
  happened_at: Date
  due_at: Date | null
  attempted_at: Date | null
}

/** Workspaces with a delivery that is due, or whose worker is gone, or with an event older than it is kept. */
export async function workspacesWithDueEvents(tx: Tx, now: Date, keptSince: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_with_due_events(${now}, ${keptSince}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The enabled receivers for which a delivery is due. */
export async function readDueReceivers(tx: Tx, workspaceId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select receiver.id from receiver
    where receiver.workspace_id = ${workspaceId} and receiver.disabled_because is null and exists (
      select from receiver_delivery delivery
      where delivery.workspace_id = ${workspaceId} and delivery.receiver_id = receiver.id and delivery.due_at <= ${now})
    order by receiver.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Claims the delivery that is due first until a time. Once this is committed no other worker sends it before then; afterwards, if its outcome was not
 * recorded, another one sends it again. Null: none is due.
 */
export async function claimDelivery(
  tx: Tx,
  workspaceId: string,
  receiverId: string,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedDelivery | null> {
  const { rows } = await sql<Omit<ClaimedDelivery, 'event'> & { eventId: string }>`
    update receiver_delivery set state = 'sending', due_at = ${until}, attempts = attempts + 1, attempted_at = ${now}
    where workspace_id = ${workspaceId} and id = (
      select id from receiver_delivery
      where workspace_id = ${workspaceId} and receiver_id = ${receiverId} and due_at <= ${now}
      order by due_at, id limit 1 for update skip locked)
    returning id, attempts, failures, event_id as "eventId"`.execute(tx)
  const [claimed] = rows
  if (!claimed) return null
  const { eventId, ...delivery } = claimed
  const { rows: events } = await sql<EventRow>`
    select id, type, issue_number as "issueNumber", merged_into as "mergedInto", changed, happened_at as "happenedAt", payload
    from outgoing_event where workspace_id = ${workspaceId} and id = ${eventId}`.execute(tx)
  const [event] = events
  return event ? { ...delivery, event } : null
}

/** Stores the body that every attempt sends, unless another receiver got the event already, and returns the one that is stored. */
export async function freezePayload(tx: Tx, workspaceId: string, eventId: string, payload: string): Promise<string> {
  const { rows } = await sql<{ payload: string }>`
    update outgoing_event set payload = coalesce(payload, ${payload})
    where workspace_id = ${workspaceId} and id = ${eventId} returning payload`.execute(tx)
  return rows[0]?.payload ?? payload
}

/** The outcome of an attempt. `dueAt`: another one is made then. */
export type AttemptOutcome = { status: number | null; error: string | null; dueAt: Date | null }

/** Records the outcome of an attempt. False: another worker has taken the delivery meanwhile, whose outcome counts. */
export async function settleDelivery(
  tx: Tx,
  workspaceId: string,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  { status, error, dueAt }: AttemptOutcome,
): Promise<boolean> {
  const state = error === null ? 'delivered' : dueAt === null ? 'failed' : 'waiting'
  const { numAffectedRows } = await sql`
    update receiver_delivery set state = ${state}, status = ${status}::smallint, error = ${error}::text, due_at = ${dueAt}::timestamptz,
      failures = case when ${error === null}::boolean then 0 else failures + 1 end
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and attempts = ${attempts}`.execute(tx)
  return numAffectedRows === 1n
}

const viewColumns = sql`delivery.id, delivery.event_id, event.type, event.issue_number, event.happened_at, delivery.state, delivery.due_at,
  delivery.attempts, delivery.attempted_at, delivery.status, delivery.error`
const withEvent = sql`receiver_delivery delivery join outgoing_event event
  on event.workspace_id = delivery.workspace_id and event.id = delivery.event_id`

/** The deliveries of a receiver, the latest events first. */
export async function readDeliveries(
  tx: Tx,
  workspaceId: string,
  receiverId: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${viewColumns} from ${withEvent}
    where delivery.workspace_id = ${workspaceId} and delivery.receiver_id = ${receiverId}
    order by event.happened_at desc, delivery.id limit ${limit}`.execute(tx)
  return rows
}

/** One delivery of a receiver; null: there is none. */
export async function readDelivery(
  tx: Tx,
  workspaceId: string,
  receiverId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const { rows } = await sql<DeliveryRow>`
    select ${viewColumns} from ${withEvent}
    where delivery.workspace_id = ${workspaceId} and delivery.receiver_id = ${receiverId} and delivery.id = ${id}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Makes a delivery due, as if no attempt had failed. One that is being sent is not changed. */
export async function askDelivery(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`
    update receiver_delivery set state = 'waiting', due_at = ${now}, failures = 0
    where workspace_id = ${workspaceId} and id = ${id} and state <> 'sending'`.execute(tx)
}

/** Makes everything that is waiting for a receiver due. */
export async function askWaiting(tx: Tx, workspaceId: string, receiverId: string, now: Date): Promise<void> {
  await sql`
    update receiver_delivery set due_at = ${now}, failures = 0
    where workspace_id = ${workspaceId} and receiver_id = ${receiverId} and state = 'waiting'`.execute(tx)
}

/** Whether a test event for a receiver has no outcome yet. */
export async function isTestOpen(tx: Tx, workspaceId: string, receiverId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${withEvent}
    where delivery.workspace_id = ${workspaceId} and delivery.receiver_id = ${receiverId} and delivery.due_at is not null
      and event.type = ${TEST_EVENT} limit 1`.execute(tx)
  return rows.length > 0
}

/** Adds a test event for a receiver and returns the id of its delivery. */
export async function addTest(tx: Tx, workspaceId: string, receiverId: string, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with event as (
      insert into outgoing_event (workspace_id, type, happened_at) values (${workspaceId}, ${TEST_EVENT}, ${now}) returning id
    )
    insert into receiver_delivery (workspace_id, receiver_id, event_id, due_at)
    select ${workspaceId}, ${receiverId}, event.id, ${now} from event returning id`.execute(tx)
  return rows[0]?.id ?? ''
}

/** Deletes events from before a time, with their deliveries; where there are very many, some of them. */
export async function forgetOldEvents(tx: Tx, workspaceId: string, keptSince: Date): Promise<void> {
  await sql`
    delete from outgoing_event where workspace_id = ${workspaceId} and id in (
      select id from outgoing_event where workspace_id = ${workspaceId} and happened_at < ${keptSince} limit ${FORGOTTEN_AT_ONCE})`.execute(
    tx,
  )
}

/**
 * Removes the body of events where the insight has one of these items or the body names this author, and the names before a change. An event that is
 * sent after that has a new body.
 */
export async function forgetEvents(
  tx: Tx,
  workspaceId: string,
  { author, itemIds }: { author: string; itemIds: readonly number[] },
): Promise<void> {
  const named = JSON.stringify(author).slice(1, -1).toLowerCase()
  await sql`
    update outgoing_event set payload = null, changed = changed || case when changed ? 'name' then '{"name": null}' else '{}' end::jsonb
    where workspace_id = ${workspaceId} and (
      strpos(lower(payload), ${named}) > 0 or issue_number in (
        select said.issue_number from ${statementsView} said
        where said.workspace_id = ${workspaceId} and said.item_id = any(${[...itemIds]}::bigint[])))`.execute(tx)
}

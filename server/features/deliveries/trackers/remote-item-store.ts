import type { RemoteItem, RemoteStatus } from '@groundswell/connectors/tracker.ts'
import type { RemoteItemView } from '@groundswell/contract/deliveries.ts'
import { visibleName } from '@groundswell/contract/values/name.ts'
import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { described, shownName } from '../../insights/index.ts'

/** The item that a tracker keeps of an insight. Its id is not known while the state is `creating`. */
export type RemoteItemRow = {
  marker: string
  connectionId: string
  issueNumber: number
  remoteId: string | null
  url: string | null
  label: string | null
  state: 'creating' | RemoteItem['status']
  stateName: string | null
  /** It was closed without being done. */
  declined: boolean
  data: Record<string, unknown>
  /** When the last request to create it began; null: there was none. */
  beganAt: Date | null
  sentVersion: number | null
  /** The titles that were sent for it, the last one last; empty: not known. */
  titles: readonly string[]
  /** What it showed when it was last written; null: not known. */
  title: string | null
  heldBy: string | null
  heldUntil: Date | null
}

const columns = sql`marker, connection_id as "connectionId", issue_number as "issueNumber", remote_id as "remoteId", url, label, state,
  state_name as "stateName", declined, data, began_at as "beganAt", sent_version::float8 as "sentVersion", titles, title, held_by as "heldBy",
  held_until as "heldUntil"`

const newestFirst = sql`(state <> 'gone') desc, created_at desc`

/** The newest item of an insight in one tracker, locked until the transaction ends; null when there never was one. */
export async function lockNewestItem(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
): Promise<RemoteItemRow | null> {
  const { rows } = await sql<RemoteItemRow>`
    select ${columns} from remote_item
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and issue_number = ${issueNumber}
    order by ${newestFirst} limit 1 for update`.execute(tx)
  return rows[0] ?? null
}

/** Adds an item that is to be created, with a new marker, unless there is one that is not gone. */
export async function addItem(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
  now: Date,
): Promise<void> {
  await sql`
    insert into remote_item (workspace_id, connection_id, issue_number, created_at)
    values (${workspaceId}, ${connectionId}, ${issueNumber}, ${now})
    on conflict (workspace_id, connection_id, issue_number) where state <> 'gone' do nothing`.execute(tx)
}

/** Whether the newest item of an insight in one tracker is gone. */
export async function isItemGone(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
): Promise<boolean> {
  const { rows } = await sql<{ gone: boolean }>`
    select state = 'gone' as gone from remote_item
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and issue_number = ${issueNumber}
    order by ${newestFirst} limit 1`.execute(tx)
  return rows[0]?.gone ?? false
}

/** Gives the item to one delivery until then. */
export async function holdItem(
  tx: Tx,
  workspaceId: string,
  marker: string,
  { by, until }: { by: string; until: Date },
): Promise<void> {
  await sql`
    update remote_item set held_by = ${by}, held_until = ${until}
    where workspace_id = ${workspaceId} and marker = ${marker}`.execute(tx)
}

/** The titles of an item that are remembered. */
const MAX_TITLES = 20

/**
 * Notes a title before it is sent for an item, and returns all of them: whatever becomes of the request, a title that the item has is known as ours. What
 * was sent to items that were created before titles were noted is not known: nothing is noted of them.
 */
export async function noteTitle(tx: Tx, workspaceId: string, marker: string, title: string): Promise<string[]> {
  const { rows } = await sql<{ titles: string[] }>`
    update remote_item
    set titles = (array_append(array_remove(titles, ${title}::text), ${title}::text))[greatest(1, cardinality(titles) - ${MAX_TITLES - 2}::int):]
    where workspace_id = ${workspaceId} and marker = ${marker} and (state = 'creating' or titles <> '{}')
    returning titles`.execute(tx)
  return rows[0]?.titles ?? []
}

/** Condition for insights whose open item has been sent another title than their shown name. */
export const isTitledOtherwise = (workspaceId: string, connectionId: string) => sql`exists (
  select from remote_item item ${described}
  where item.workspace_id = ${workspaceId} and item.connection_id = ${connectionId} and item.issue_number = insight.issue_number
    and item.state = 'open' and item.titles <> '{}' and item.titles[cardinality(item.titles)] is distinct from ${shownName})`

/** Ends what `holdItem` began, unless another delivery holds the item now. */
export async function releaseItem(tx: Tx, workspaceId: string, marker: string, by: string): Promise<void> {
  await sql`
    update remote_item set held_by = null, held_until = null
    where workspace_id = ${workspaceId} and marker = ${marker} and held_by = ${by}`.execute(tx)
}

/** Records that a request to create the item begins. False, and nothing is recorded, when another delivery holds the item now. */
export async function storeCreateBegan(
  tx: Tx,
  workspaceId: string,
  marker: string,
  { by, version, at }: { by: string; version: number; at: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update remote_item set began_at = ${at}, sent_version = ${version}::bigint
    where workspace_id = ${workspaceId} and marker = ${marker} and state = 'creating' and held_by = ${by}
      and held_until > ${at}`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * Takes back what `storeCreateBegan` recorded at that time: the request was refused and created nothing. What an earlier one may have
 * created is still to be searched for.
 */
export async function storeCreateRefused(
  tx: Tx,
  workspaceId: string,
  { marker, beganAt, sentVersion }: RemoteItemRow,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await sql`
    update remote_item set began_at = ${beganAt}::timestamptz, sent_version = ${sentVersion}::bigint
    where workspace_id = ${workspaceId} and marker = ${marker} and state = 'creating' and held_by = ${by}
      and began_at = ${at}`.execute(tx)
}

/** What an item is called: by its id where its label has nothing that can be seen. */
export const itemLabel = ({ label, id }: Pick<RemoteItem, 'label' | 'id'>) => visibleName(label, id)

const nameOf = (name: string | null) => (name === null ? null : visibleName(name, null))

/** Stores what the tracker returned about the item. `version`: what was sent, null to leave it as it is. */
export async function storeItem(
  tx: Tx,
  workspaceId: string,
  marker: string,
  item: RemoteItem,
  { version, at, nextCheckAt }: { version: number | null; at: Date; nextCheckAt: Date },
): Promise<void> {
  await sql`
    update remote_item set remote_id = ${item.id}, url = ${safeLink(item.url)}::text, label = ${itemLabel(item)}, state = ${item.status},
      state_name = ${nameOf(item.statusName)}::text, declined = ${item.declined ?? false}, data = ${JSON.stringify(item.data)}::jsonb,
      title = coalesce(${nameOf(item.title ?? null)}::text, title),
      sent_version = coalesce(${version}::bigint, sent_version), checked_at = ${at}, next_check_at = ${nextCheckAt}
    where workspace_id = ${workspaceId} and marker = ${marker}`.execute(tx)
}

/** Stores the state of an item. */
export async function storeItemState(
  tx: Tx,
  workspaceId: string,
  marker: string,
  { state, name, declined = false }: RemoteStatus,
  { at, nextCheckAt }: { at: Date; nextCheckAt: Date },
): Promise<void> {
  await sql`
    update remote_item set state = ${state}, state_name = ${nameOf(name)}::text, declined = ${declined}, checked_at = ${at},
      next_check_at = ${nextCheckAt}
    where workspace_id = ${workspaceId} and marker = ${marker}`.execute(tx)
}

/**
 * The items of a connection with these ids. They are locked with all other items of their insights, in one order, so that transactions
 * which change different items of an insight run one after the other, and the last of them sees the states of all.
 */
export async function lockItemsById(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  remoteIds: readonly string[],
): Promise<RemoteItemRow[]> {
  const { rows } = await sql<RemoteItemRow>`
    select ${columns} from remote_item
    where workspace_id = ${workspaceId} and state in ('open', 'closed') and issue_number in (
      select issue_number from remote_item
      where workspace_id = ${workspaceId} and connection_id = ${connectionId}
        and remote_id = any(${[...remoteIds]}::text[]))
    order by marker for update`.execute(tx)
  return rows.filter((item) => item.connectionId === connectionId && remoteIds.includes(item.remoteId ?? ''))
}

/** Locks all items of an insight, in the same order as `lockItemsById`. */
export async function lockItemsOfInsight(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await sql`
    select from remote_item where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
    order by marker for update`.execute(tx)
}

/** How many items of an insight are still there, in all trackers that are connected, and how many of them are open or closed as done. */
export async function countItems(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
): Promise<{ there: number; open: number; done: number }> {
  const { rows } = await sql<{ there: number; open: number; done: number }>`
    select count(*)::int as there, (count(*) filter (where item.state <> 'closed'))::int as open,
      (count(*) filter (where item.state = 'closed' and not item.declined))::int as done
    from remote_item item
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where item.workspace_id = ${workspaceId} and item.issue_number = ${issueNumber} and item.state <> 'gone'
      and connection.live`.execute(tx)
  return rows[0] ?? { there: 0, open: 0, done: 0 }
}

/** Connections that can be asked and have items whose state is due to be read. */
export async function connectionsWithDueItems(tx: Tx, workspaceId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct connection.id from remote_item item
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    where item.workspace_id = ${workspaceId} and item.state in ('open', 'closed') and item.next_check_at <= ${now}
      and connection.live and not connection.paused and not connection.signed_out
    order by connection.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Takes at most `limit` items of a connection whose state is due to be read; they are due again at `nextCheckAt`. Materialized: a
 * subquery that locks may be planned to run several times, and would take more than the limit.
 */
export async function takeDueItems(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  { now, nextCheckAt, limit }: { now: Date; nextCheckAt: Date; limit: number },
): Promise<RemoteItemRow[]> {
  const { rows } = await sql<RemoteItemRow>`
    with due as materialized (
      select marker as due_marker from remote_item
      where workspace_id = ${workspaceId} and connection_id = ${connectionId} and state in ('open', 'closed')
        and next_check_at <= ${now}
      order by next_check_at limit ${limit} for update skip locked
    )
    update remote_item set next_check_at = ${nextCheckAt}
    from due
    where workspace_id = ${workspaceId} and marker = due_marker
    returning ${columns}`.execute(tx)
  return rows
}

/** Postpones reading the states of a connection's items until then at the earliest. */
export async function postponeChecks(tx: Tx, workspaceId: string, connectionId: string, until: Date): Promise<void> {
  await sql`
    update remote_item set next_check_at = ${until}
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and state in ('open', 'closed')
      and next_check_at < ${until}`.execute(tx)
}

/** Workspaces with items whose state is due to be read. Run without a workspace. */
export async function workspacesWithDueItems(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_with_due_items(${now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** An item as the screens show it. */
const view = sql`jsonb_build_object('label', item.label, 'url', item.url, 'state', item.state, 'state_name', item.state_name,
  'declined', item.declined)`

/** The item that a delivery created or changed, as the screens show it: a column for a query that has `delivery`; null: none. */
export const itemOfDelivery = sql`(
  select ${view}
  from remote_item item
  where item.workspace_id = delivery.workspace_id and item.connection_id = delivery.connection_id
    and item.remote_id = delivery.remote_id
  order by item.created_at desc limit 1)`

/** What a tile shows of its tracker's items. */
export type ItemsOfConnection = {
  connectionId: string
  open: number
  closed: number
  gone: number
  latest: RemoteItemView
}

/** Items whose id is known, counted for each connection, with the one that was created last. */
export async function readItemsOfConnections(tx: Tx, workspaceId: string): Promise<ItemsOfConnection[]> {
  const { rows } = await sql<ItemsOfConnection>`
    select connection_id as "connectionId", (count(*) filter (where state = 'open'))::int as open,
      (count(*) filter (where state = 'closed'))::int as closed, (count(*) filter (where state = 'gone'))::int as gone,
      (array_agg(${view} order by created_at desc))[1] as latest
    from remote_item item where workspace_id = ${workspaceId} and remote_id is not null
    group by 1`.execute(tx)
  return rows
}

/** Condition for insights whose item is gone: this tracker gets nothing more until a person pushes them. */
export const isGoneAt = (workspaceId: string, connectionId: string) => sql`coalesce((
  select state = 'gone' from remote_item
  where workspace_id = ${workspaceId} and connection_id = ${connectionId} and issue_number = insight.issue_number
  order by ${newestFirst} limit 1), false)`

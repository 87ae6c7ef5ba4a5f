import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { connectionsView } from '../../../connections/index.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import { attributeDifferences, recountAttributes, repairAttributes } from '../../attributes/count-store.ts'
import { countTexts } from '../../copies/copy-store.ts'
import { customerDifferences, recountCustomers, repairCustomers } from '../../customers/count-store.ts'
import type { StepResult } from '../protocol.ts'

const MAX_AUTHORS = 5_000

/** By whom a mention is counted: the author of its message when it was counted, even if that has changed since. */
const countedPerson = sql`coalesce(counted.person, person_of(item.author, item.id))`

/**
 * Brings the counts of these insights up to date from what changed since the last time, and stores them. One with mentions in fewer
 * than two items is hidden; one that was resolved and gained a mention has regressed. What it costs depends on what changed and not on
 * how many mentions there are. Call under `lockVersion`: one at a time counts in a workspace.
 */
export async function recount(
  tx: Tx,
  workspaceId: string,
  touched: StepResult['touched'],
  revision: number,
): Promise<void> {
  if (touched.length === 0) return
  await settleAuthors(tx, workspaceId)
  await addChanges(
    tx,
    workspaceId,
    touched.map((one) => one.issueId),
  )
  await storeCounts(tx, workspaceId, touched, revision)
  const numbers = touched.map((one) => one.issueId)
  await recountCustomers(tx, workspaceId, numbers, revision)
  await recountAttributes(tx, workspaceId, numbers)
}

/** From now on, mentions of messages whose author changed are counted as the new author's. */
async function settleAuthors(tx: Tx, workspaceId: string): Promise<void> {
  // Locked first and read afterwards: the author is then the one that was committed before the lock. A change that is not committed
  // yet has the lock itself.
  const { rows } = await sql<{ itemId: number }>`
    select item_id as "itemId" from counted_author where workspace_id = ${workspaceId}
    order by item_id limit ${MAX_AUTHORS} for update skip locked`.execute(tx)
  if (rows.length === 0) return
  await sql`
    with settled as (
      delete from counted_author
      where workspace_id = ${workspaceId} and item_id = any(${rows.map((row) => row.itemId)}::bigint[])
      returning item_id, person
    )
    insert into mention_change (workspace_id, issue_number, person, mentions)
    select ${workspaceId}::uuid, s.issue_number, change.person, sum(change.mentions)
    from settled
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = settled.item_id
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = settled.item_id and s.issue_number is not null
    cross join lateral (values (settled.person, -1), (person_of(item.author, item.id), 1)) change (person, mentions)
    group by s.issue_number, change.person having sum(change.mentions) <> 0`.execute(tx)
}

/**
 * Adds what changed to the counts, and removes it. Without joins between sets whose size the planner does not know. A
 * person counts from the first mention to the last.
 */
async function addChanges(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<void> {
  await sql`
    with change as (
      delete from mention_change where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])
      returning issue_number, person, connection_id, day, mentions
    ), person as (
      select issue_number, person, sum(mentions)::int as mentions from change
      where person is not null group by 1, 2 having sum(mentions) <> 0
    ), stored_person as (
      insert into insight_person as stored (workspace_id, issue_number, person, mentions)
      select ${workspaceId}::uuid, issue_number, person, mentions from person order by 2, 3
      on conflict (workspace_id, issue_number, person) do update set mentions = stored.mentions + excluded.mentions
      returning issue_number, person, mentions
    ), source as (
      insert into insight_source as stored (workspace_id, issue_number, connection_id, mentions)
      select ${workspaceId}::uuid, issue_number, connection_id, sum(mentions) from change
      where connection_id is not null group by 2, 3 having sum(mentions) <> 0 order by 2, 3
      on conflict (workspace_id, issue_number, connection_id) do update set mentions = stored.mentions + excluded.mentions
    ), day as (
      insert into insight_day as stored (workspace_id, issue_number, day, mentions)
      select ${workspaceId}::uuid, issue_number, day, sum(mentions) from change
      where day is not null group by 2, 3 having sum(mentions) <> 0 order by 2, 3
      on conflict (workspace_id, issue_number, day) do update set mentions = stored.mentions + excluded.mentions
    ), source_day as (
      insert into insight_source_day as stored (workspace_id, issue_number, connection_id, day, mentions)
      select ${workspaceId}::uuid, issue_number, connection_id, day, sum(mentions) from change
      where connection_id is not null and day is not null group by 2, 3, 4 having sum(mentions) <> 0 order by 2, 3, 4
      on conflict (workspace_id, issue_number, connection_id, day) do update set mentions = stored.mentions + excluded.mentions
    ), total as (
      select issue_number, 0 as mentions, (after > 0)::int - (after - gained > 0)::int as people from (
        select issue_number, person, sum(after) as after, sum(gained) as gained from (
          select issue_number, person, mentions as after, 0 as gained from stored_person
          union all
          select issue_number, person, 0, mentions from person
        ) both_sides group by 1, 2
      ) changed_person
      union all
      select issue_number, mentions, 0 from change where day is not null
    )
    insert into insight_total as stored (workspace_id, issue_number, mentions, people)
    select ${workspaceId}::uuid, issue_number, sum(mentions), sum(people) from total group by 2 order by 2
    on conflict (workspace_id, issue_number) do update
    set mentions = stored.mentions + excluded.mentions, people = stored.people + excluded.people`.execute(tx)
}

/**
 * What lists show of the counts. The first, the last and the newest mention are looked up by their indexes. `last_updated`: the later of when the
 * newest mention arrived here, which has the greatest id, and the last change by a person.
 */
async function storeCounts(
  tx: Tx,
  workspaceId: string,
  touched: StepResult['touched'],
  revision: number,
): Promise<void> {
  const mention = sql`
    from statement s where s.workspace_id = ${workspaceId} and s.issue_number = touched.number`
  const newestFirst = sql`order by s.said_at desc, s.item_id desc, s.number desc limit 1`
  await sql`
    with counted as (
      select touched.number, touched.gained, coalesce(total.mentions, 0) as mentions, coalesce(total.people, 0) as people,
        oldest.said_at as first_seen, oldest.date_only as first_date_only, newest.said_at as last_seen,
        newest.date_only as last_date_only,
        (select s.item_id ${mention} and s.item_id <> newest.item_id ${newestFirst}) is not null as recurs,
        (
          select item.stored_at from ${feedbackItemsView} item
          where item.workspace_id = ${workspaceId} and item.id = (select s.item_id ${mention} order by s.item_id desc limit 1)
        ) as arrived,
        array(
          select distinct connection.connector from insight_source source
          join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = source.connection_id
          where source.workspace_id = ${workspaceId} and source.issue_number = touched.number and source.mentions > 0
          order by 1
        ) as sources
      from unnest(${touched.map((one) => one.issueId)}::int[], ${touched.map((one) => one.gained)}::int[])
        as touched (number, gained)
      left join insight_total total on total.workspace_id = ${workspaceId} and total.issue_number = touched.number
      left join lateral (
        select s.said_at, s.date_only ${mention} order by s.said_at, s.item_id, s.number limit 1
      ) oldest on true
      left join lateral (select s.said_at, s.date_only, s.item_id ${mention} ${newestFirst}) newest on true
    )
    update insight
    set mention_count = counted.mentions, people_count = counted.people,
      first_seen = counted.first_seen, first_date_only = coalesce(counted.first_date_only, false),
      last_seen = counted.last_seen, last_date_only = coalesce(counted.last_date_only, false), hidden = not counted.recurs, sources = counted.sources,
      heard = insight.heard + greatest(counted.gained, 0), revision = ${revision}::bigint,
      last_updated = coalesce(greatest(counted.arrived, insight.person_changed_at), insight.last_updated),
      status = case when insight.status = 'resolved' and counted.gained > 0 then 'regressed' else insight.status end
    from counted
    where insight.workspace_id = ${workspaceId} and insight.issue_number = counted.number`.execute(tx)
  await countTexts(
    tx,
    workspaceId,
    touched.map((one) => one.issueId),
  )
}

/** How many counts of a kind differ. `total`: from their parts; `shown`: what the insight shows from the totals. */
export type CountDifference = {
  of: 'person' | 'customer' | 'attribute' | 'connection' | 'day' | 'connection and day' | 'total' | 'shown'
  rows: number
}

/**
 * Compares the counts of an insight with its mentions, in one statement and so as of one moment, whatever is written meanwhile.
 * Empty: they agree.
 */
export async function readDifferences(tx: Tx, workspaceId: string, issueNumber: number): Promise<CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    with ${differences(workspaceId, issueNumber)}
    select "of", count(*)::int as rows from difference group by 1
    union all
    select 'total', 1 from (
      select coalesce((select sum(mentions) from insight_day where ${ofInsight(workspaceId, issueNumber)}), 0) as mentions,
        (select count(*) from insight_person where ${ofInsight(workspaceId, issueNumber)} and mentions > 0) as people
    ) parts
    left join insight_total total on total.workspace_id = ${workspaceId} and total.issue_number = ${issueNumber}
    where coalesce(total.mentions, 0) <> parts.mentions or coalesce(total.people, 0) <> parts.people
    union all
    select 'customer', count(*)::int from ${customerDifferences(workspaceId, issueNumber)} difference having count(*) > 0
    union all
    select 'attribute', count(*)::int from ${attributeDifferences(workspaceId, issueNumber)} difference having count(*) > 0
    union all
    select 'shown', 1 from insight_total total join insight using (workspace_id, issue_number)
    where total.workspace_id = ${workspaceId} and total.issue_number = ${issueNumber}
      and (total.mentions, total.people) is distinct from (insight.mention_count, insight.people_count)
      and not exists (select from mention_change where ${ofInsight(workspaceId, issueNumber)})
    order by 1`.execute(tx)
  return rows
}

/** Makes the counts of an insight those of its mentions. Call under `lockVersion`, with a raised revision. */
export async function repairCounts(tx: Tx, workspaceId: string, issueNumber: number, revision: number): Promise<void> {
  await settleAuthors(tx, workspaceId)
  await sql`
    with ${differences(workspaceId, issueNumber)}
    insert into mention_change (workspace_id, issue_number, person, connection_id, day, mentions)
    select ${workspaceId}::uuid, ${issueNumber}::int, person, connection_id, day, mentions from difference
    where "of" <> 'connection and day'`.execute(tx)
  await addChanges(tx, workspaceId, [issueNumber])
  await sql`
    with ${differences(workspaceId, issueNumber)}
    insert into insight_source_day as stored (workspace_id, issue_number, connection_id, day, mentions)
    select ${workspaceId}::uuid, ${issueNumber}::int, connection_id, day, mentions from difference
    where "of" = 'connection and day'
    on conflict (workspace_id, issue_number, connection_id, day) do update set mentions = stored.mentions + excluded.mentions`.execute(
    tx,
  )
  await sql`
    insert into insight_total (workspace_id, issue_number, mentions, people)
    select ${workspaceId}::uuid, ${issueNumber}::int,
      coalesce((select sum(mentions) from insight_day where ${ofInsight(workspaceId, issueNumber)}), 0),
      (select count(*) from insight_person where ${ofInsight(workspaceId, issueNumber)} and mentions > 0)
    on conflict (workspace_id, issue_number) do update set mentions = excluded.mentions, people = excluded.people`.execute(
    tx,
  )
  await storeCounts(tx, workspaceId, [{ issueId: issueNumber, gained: 0 }], revision)
  await repairCustomers(tx, workspaceId, issueNumber, revision)
  await repairAttributes(tx, workspaceId, issueNumber)
}

/** The insights of a workspace whose counts were checked longest ago, if that was before a time. */
export async function readUnchecked(tx: Tx, workspaceId: string, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ issueNumber: number }>`
    select issue_number as "issueNumber" from insight_total
    where workspace_id = ${workspaceId} and checked_at < ${before}::timestamptz order by checked_at limit ${limit}`.execute(
    tx,
  )
  return rows.map((row) => row.issueNumber)
}

/** Records that the counts of an insight were checked, and removes counts of zero. */
export async function markCountsChecked(tx: Tx, workspaceId: string, issueNumber: number, now: Date): Promise<void> {
  for (const table of ['insight_person', 'insight_source', 'insight_day', 'insight_source_day']) {
    await sql`
      delete from ${sql.table(table)} where ${ofInsight(workspaceId, issueNumber)} and mentions = 0`.execute(tx)
  }
  await sql`
    update insight_total set checked_at = ${now}::timestamptz where ${ofInsight(workspaceId, issueNumber)}`.execute(tx)
}

/** Workspaces of counts that were checked before a time; those of `counts` counts. Run without a workspace. */
export async function workspacesToCheckCounts(tx: Tx, before: Date, counts: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspaces_to_check_counts(${before}::timestamptz, ${counts}::int) as id`.execute(tx)
  return rows.map((row) => row.id)
}

const ofInsight = (workspaceId: string, issueNumber: number) =>
  sql`workspace_id = ${workspaceId} and issue_number = ${issueNumber}`

/** By how much each count is too small (or, below zero, too large), with what waits to be added. */
function differences(workspaceId: string, issueNumber: number) {
  const own = ofInsight(workspaceId, issueNumber)
  return sql`
    mention as (
      select ${countedPerson} as person, item.connection_id, (s.said_at at time zone 'UTC')::date as day
      from statement s
      join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
      left join counted_author counted on counted.workspace_id = ${workspaceId} and counted.item_id = s.item_id
      where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
    ), difference as (
      select 'person' as "of", person, null::uuid as connection_id, null::date as day, sum(mentions)::int as mentions from (
        select person, 1 as mentions from mention
        union all select person, -mentions from insight_person where ${own}
        union all select person, -mentions from mention_change where ${own} and person is not null
      ) one group by person having sum(mentions) <> 0
      union all
      select 'connection', null, connection_id, null, sum(mentions)::int from (
        select connection_id, 1 as mentions from mention
        union all select connection_id, -mentions from insight_source where ${own}
        union all select connection_id, -mentions from mention_change where ${own} and connection_id is not null
      ) one group by connection_id having sum(mentions) <> 0
      union all
      select 'day', null, null, day, sum(mentions)::int from (
        select day, 1 as mentions from mention
        union all select day, -mentions from insight_day where ${own}
        union all select day, -mentions from mention_change where ${own} and day is not null
      ) one group by day having sum(mentions) <> 0
      union all
      select 'connection and day', null, connection_id, day, sum(mentions)::int from (
        select connection_id, day, 1 as mentions from mention
        union all select connection_id, day, -mentions from insight_source_day where ${own}
        union all select connection_id, day, -mentions from mention_change
          where ${own} and connection_id is not null and day is not null
      ) one group by connection_id, day having sum(mentions) <> 0
    )`
}

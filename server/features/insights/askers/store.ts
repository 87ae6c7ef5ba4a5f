import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** A person in an insight with their newest mention. `total` and `told`: of all of them. */
export type AskerRow = {
  person: string
  author: string | null
  mentions: number
  saidAt: Date
  dateKnown: boolean
  dateOnly: boolean
  source: string
  place: string | null
  link: string | null
  message: string
  start: number
  end: number
  toldBy: string | null
  toldAt: Date | null
  /** They were told about this insight, which was merged into the one that is read; null: about that one itself. */
  toldFrom: number | null
  total: number
  told: number
}

const personOf = sql`person_of(item.author, item.id)`

const peopleOf = (workspaceId: string, issueNumber: number) => sql`
  select ${personOf} as person from statement s
  join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
  where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}`

/** The numbers of an insight and of every insight merged into it: people told about those count as told about it. */
const mergedInto = (workspaceId: string, issueNumber: number) => sql`
  with recursive merged (number) as (
    select ${issueNumber}::int
    union
    select insight.issue_number from insight join merged on insight.merged_into = merged.number
    where insight.workspace_id = ${workspaceId} and insight.ended_at is not null)
  select number from merged`

/** The people in an insight, those with the newest mention first; `limit`: null: all. */
export async function readAskers(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number | null,
): Promise<AskerRow[]> {
  const { rows } = await sql<AskerRow>`
    select encode(one.person, 'hex') as person, item.author, one.mentions, one.said_at as "saidAt", item.date_known as "dateKnown",
      item.date_only as "dateOnly", connection.connector as source,
      item.place, item.link, left(item.text, one.end_offset) as message, one.start_offset as start, one.end_offset as end,
      one.told_by as "toldBy", one.told_at as "toldAt",
      nullif(one.told_about, ${issueNumber}::int) as "toldFrom", one.total, one.told
    from (
      select newest.*, told.told_by, told.told_at, told.issue_number as told_about, count(*) over ()::int as total, count(told.told_at) over ()::int as told
      from (
        select distinct on (person) person, item_id, said_at, start_offset, end_offset,
          count(*) over (partition by person)::int as mentions
        from (
          select ${personOf} as person, s.item_id, s.number, s.said_at, s.start_offset, s.end_offset from statement s
          join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
          where s.workspace_id = ${workspaceId} and s.issue_number = ${issueNumber}
        ) said
        order by person, said_at desc, item_id desc, number desc
      ) newest
      left join (
        select distinct on (person) person, told_by, told_at, issue_number from told_person
        where workspace_id = ${workspaceId} and issue_number in (${mergedInto(workspaceId, issueNumber)})
        order by person, issue_number <> ${issueNumber}::int, told_at desc
      ) told on told.person = newest.person
      order by newest.said_at desc, newest.item_id desc limit ${limit}::int
    ) one
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = one.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    order by one.said_at desc, one.item_id desc`.execute(tx)
  return rows
}

/** Marks people in an insight as told, all of them when `people` is null. Returns who was not told before. */
export async function addTold(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  people: readonly string[] | null,
  { by, at }: { by: string; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    insert into told_person (workspace_id, issue_number, person, told_by, told_at)
    select distinct ${workspaceId}::uuid, ${issueNumber}::int, person, ${by}, ${at}::timestamptz
    from (${peopleOf(workspaceId, issueNumber)}) there
    where ${people === null ? sql`true` : sql`encode(person, 'hex') = any(${[...people]}::text[])`}
      and not exists (select from told_person told where told.workspace_id = ${workspaceId} and told.person = there.person
        and told.issue_number in (${mergedInto(workspaceId, issueNumber)}))
    on conflict (workspace_id, issue_number, person) do nothing
    returning encode(person, 'hex') as person`.execute(tx)
  return rows.map(({ person }) => person)
}

/** Marks people as not told, also about what was merged into the insight. Returns who was told before. */
export async function removeTold(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  people: readonly string[] | null,
): Promise<string[]> {
  const { rows } = await sql<{ person: string }>`
    delete from told_person where workspace_id = ${workspaceId}
      and issue_number in (${mergedInto(workspaceId, issueNumber)})
      and ${people === null ? sql`true` : sql`encode(person, 'hex') = any(${[...people]}::text[])`}
    returning encode(person, 'hex') as person`.execute(tx)
  return rows.map(({ person }) => person)
}

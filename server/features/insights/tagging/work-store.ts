import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { described, shownName, shownSummary } from '../shown-store.ts'

/** A tag's value by the engine; a tag without a value has none. */
export type TagFinding = {
  tag: string
  kind: 'category' | 'calculated' | 'number'
  value: string | number
  colour: string | null
}

/** What tags are derived from: an insight with its shown name, at `revision`. */
export type TaggableInsight = {
  issueNumber: number
  revision: number
  name: string
  nameByPerson: boolean
  summary: string
  mentions: number
  people: number
  firstSeen: Date | null
  lastSeen: Date | null
}

type StoredFinding = TagFinding & { issueNumber: number }

const columns = sql`insight.issue_number as "issueNumber", insight.revision, ${shownName} as name,
  insight.name_by_person as "nameByPerson", ${shownSummary} as summary, insight.mention_count as mentions, insight.people_count as people,
  insight.first_seen as "firstSeen", insight.last_seen as "lastSeen"`
const shown = sql`insight.deleted_at is null and insight.ended_at is null and not insight.hidden`
const checked = sql`left join tag_check c
  on c.workspace_id = insight.workspace_id and c.issue_number = insight.issue_number`
const behind = (key: string) => sql`(c.revision is null or c.revision < insight.revision or c.tags <> ${key})`

/** Shown insights that changed, or for which the tags changed, since they were last tagged; only among `numbers`, if given. */
export async function readBehind(
  tx: Tx,
  workspaceId: string,
  key: string,
  limit: number,
  numbers?: readonly number[],
): Promise<TaggableInsight[]> {
  const { rows } = await sql<TaggableInsight>`
    select ${columns} from insight ${described} ${checked}
    where insight.workspace_id = ${workspaceId} and ${shown} and ${behind(key)}
      ${numbers ? sql`and insight.issue_number = any(${[...numbers]}::int[])` : sql``}
    order by insight.issue_number limit ${limit}`.execute(tx)
  return rows
}

/** Shown insights last counted before a time, oldest first. */
export async function readUncounted(
  tx: Tx,
  workspaceId: string,
  before: Date,
  limit: number,
): Promise<TaggableInsight[]> {
  const { rows } = await sql<TaggableInsight>`
    select ${columns} from insight ${described} ${checked}
    where insight.workspace_id = ${workspaceId} and ${shown} and c.counted_at <= ${before}::timestamptz
    order by c.counted_at, insight.issue_number limit ${limit}`.execute(tx)
  return rows
}

/** The most recently updated shown insights, newest first. */
export async function readLastInsights(tx: Tx, workspaceId: string, limit: number): Promise<TaggableInsight[]> {
  const { rows } = await sql<TaggableInsight>`
    select ${columns} from insight ${described} where insight.workspace_id = ${workspaceId} and ${shown}
    order by insight.last_updated desc, insight.issue_number desc limit ${limit}`.execute(tx)
  return rows
}

/** How many shown insights have been tagged with these tags, of all. */
export async function readTagProgress(
  tx: Tx,
  workspaceId: string,
  key: string,
): Promise<{ done: number; all: number }> {
  const { rows } = await sql<{ done: number; all: number }>`
    select count(*) filter (where not ${behind(key)})::int as done, count(*)::int as all
    from insight ${checked} where insight.workspace_id = ${workspaceId} and ${shown}`.execute(tx)
  return rows[0] ?? { done: 0, all: 0 }
}

/** The number of mentions of shown insights and, with `withPeople`, of the people who made them. */
export async function readTotals(
  tx: Tx,
  workspaceId: string,
  withPeople: boolean,
): Promise<{ mentions: number; people: number }> {
  const { rows } = await sql<{ mentions: number }>`
    select coalesce(sum(mention_count), 0)::int as mentions from insight
    where insight.workspace_id = ${workspaceId} and ${shown}`.execute(tx)
  const people = withPeople
    ? await sql<{ people: number }>`
        select count(distinct coalesce(item.author, item.id::text) collate "C")::int as people
        from insight
        join statement s on s.workspace_id = ${workspaceId} and s.issue_number = insight.issue_number
        join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
        where insight.workspace_id = ${workspaceId} and ${shown}`.execute(tx)
    : null
  return { mentions: rows[0]?.mentions ?? 0, people: people?.rows[0]?.people ?? 0 }
}

/** The engine's values of these tags on shown insights, with the counts of each insight. */
export async function readShares(
  tx: Tx,
  workspaceId: string,
  tags: readonly string[],
): Promise<{ issueNumber: number; tag: string; value: unknown; mentions: number; people: number }[]> {
  const { rows } = await sql<{ issueNumber: number; tag: string; value: unknown; mentions: number; people: number }>`
    select insight.issue_number as "issueNumber", t.tag, t.value, insight.mention_count as mentions,
      insight.people_count as people
    from insight_tag t
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = t.issue_number
    where t.workspace_id = ${workspaceId} and t.set_by = 'engine' and t.tag = any(${[...tags]}::text[])
      and ${shown}`.execute(tx)
  return rows
}

/** The engine's values on these insights. */
export async function readEngineTags(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<StoredFinding[]> {
  const { rows } = await sql<StoredFinding>`
    select issue_number as "issueNumber", tag, kind, value, colour from insight_tag
    where workspace_id = ${workspaceId} and set_by = 'engine' and issue_number = any(${[...numbers]}::int[])`.execute(
    tx,
  )
  return rows
}

/** Stores values by the engine, replacing its earlier ones. */
export async function writeEngineTags(
  tx: Tx,
  workspaceId: string,
  findings: readonly StoredFinding[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return
  await sql`
    insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value, colour, set_at)
    select ${workspaceId}::uuid, found.number, found.tag, 'engine', found.kind, found.value, found.colour, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(findings.map(({ issueNumber: number, ...rest }) => ({ number, ...rest })))}::jsonb)
      as found (number int, tag text, kind text, value jsonb, colour text)
    order by found.number, found.tag
    on conflict (workspace_id, issue_number, tag, set_by) do update
    set kind = excluded.kind, value = excluded.value, colour = excluded.colour, set_at = excluded.set_at`.execute(tx)
}

/** Removes values by the engine. */
export async function deleteEngineTags(
  tx: Tx,
  workspaceId: string,
  gone: readonly { issueNumber: number; tag: string }[],
): Promise<void> {
  if (gone.length === 0) return
  await sql`
    delete from insight_tag using unnest(${gone.map((one) => one.issueNumber)}::int[], ${gone.map((one) => one.tag)}::text[])
      as gone (number, name)
    where workspace_id = ${workspaceId} and set_by = 'engine' and issue_number = gone.number and tag = gone.name`.execute(
    tx,
  )
}

/**
 * Records that these insights were tagged at their revisions. `raised`: the new revision that the tagging itself gave to some of them;
 * unless they changed otherwise meanwhile, they need not be tagged again because of it.
 */
export async function storeChecks(
  tx: Tx,
  workspaceId: string,
  key: string,
  insights: readonly TaggableInsight[],
  raised: { revision: number; numbers: readonly number[] } | null,
  now: Date,
): Promise<void> {
  const numbers = insights.map((insight) => insight.issueNumber)
  const revisions = insights.map((insight) => insight.revision)
  await sql`
    insert into tag_check (workspace_id, issue_number, revision, tags, counted_at)
    select ${workspaceId}::uuid, i.issue_number,
      case when i.revision = seen.revision and i.issue_number = any(${[...(raised?.numbers ?? [])]}::int[])
        then ${raised?.revision ?? 0}::bigint else seen.revision end,
      ${key}, ${now}::timestamptz
    from unnest(${numbers}::int[], ${revisions}::bigint[]) as seen (number, revision)
    join insight i on i.workspace_id = ${workspaceId} and i.issue_number = seen.number
    order by i.issue_number
    on conflict (workspace_id, issue_number) do update
    set revision = excluded.revision, tags = excluded.tags, counted_at = excluded.counted_at`.execute(tx)
}

/** Call before insights get a new revision only because of their tags: they need not be tagged again because of it. */
export async function markChecked(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  revision: number,
): Promise<void> {
  await sql`
    update tag_check c set revision = ${revision}::bigint from insight i
    where c.workspace_id = ${workspaceId} and c.issue_number = any(${[...numbers]}::int[])
      and i.workspace_id = ${workspaceId} and i.issue_number = c.issue_number and i.revision = c.revision`.execute(tx)
}

/** Deletes all values by the engine and its records, for a workspace without tags. True when there was anything. */
export async function forgetEngineTags(tx: Tx, workspaceId: string): Promise<boolean> {
  await sql`delete from insight_tag where workspace_id = ${workspaceId} and set_by = 'engine'`.execute(tx)
  const { numAffectedRows } = await sql`delete from tag_check where workspace_id = ${workspaceId}`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Whether anything waits to be tagged with these tags, or was last counted before a time. */
export async function hasTagWork(tx: Tx, workspaceId: string, key: string, before: Date | null): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select 1 from insight ${checked} where insight.workspace_id = ${workspaceId} and ${shown}
        and (${behind(key)} ${before ? sql`or c.counted_at <= ${before}::timestamptz` : sql``})
    ) as waits`.execute(tx)
  return rows[0]?.waits ?? false
}

/** When the shown insight that was counted longest ago was counted; null when there is none. */
export async function readOldestCount(tx: Tx, workspaceId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(c.counted_at) as at from insight ${checked}
    where insight.workspace_id = ${workspaceId} and ${shown}`.execute(tx)
  return rows[0]?.at ?? null
}

/** Whether records are left of a workspace that no longer has tags. */
export async function hasForgottenTags(tx: Tx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
    select exists (select 1 from tag_check where workspace_id = ${workspaceId}) as left`.execute(tx)
  return rows[0]?.left ?? false
}

import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** `waiting`: mentions that are in no shown insight, emerging or not, without small talk. `suggested`: those of them that are suggested to one. */
export type Counts = {
  insights: number
  mentions: number
  emerging: number
  emergingMentions: number
  waiting: number
  suggested: number
  smallTalk: number
}

const isWaiting = sql`s.issue_number is null and s.emerging_number is null and s.kind <> 'noise'`

/** Counts the insights and mentions of a workspace as they are now. */
export async function readCounts(tx: Tx, workspaceId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select insights.count as insights, insights.mentions, emerging.count as emerging, emerging.mentions as "emergingMentions",
      waiting.count as waiting, suggested.count as suggested, noise.count as "smallTalk"
    from (select count(*)::int as count, coalesce(sum(mention_count), 0)::int as mentions from insight
      where workspace_id = ${workspaceId} and deleted_at is null and ended_at is null and not hidden) insights,
    (select count(*)::int as count, coalesce(sum(mention_count), 0)::int as mentions from emerging_insight
      where workspace_id = ${workspaceId} and dismissed_at is null and not hidden) emerging,
    (select count(*)::int as count from statement s where s.workspace_id = ${workspaceId} and ${isWaiting}) waiting,
    (select count(distinct (s.item_id, s.number))::int as count from member_suggestion suggested
      join statement s on s.workspace_id = ${workspaceId} and s.item_id = suggested.item_id and s.number = suggested.number
      where suggested.workspace_id = ${workspaceId} and suggested.correction_id is null and ${isWaiting}) suggested,
    (select count(*)::int as count from statement where workspace_id = ${workspaceId} and issue_number is null
      and kind = 'noise') noise`.execute(tx)
  const [counts] = rows
  if (!counts) throw new Error('the counts have no row')
  return counts
}

/** The texts of the newest mentions that wait and are not suggested to an insight. */
export async function readWaitingTexts(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ start: number; end: number; message: string }>`
    select s.start_offset as start, s.end_offset as "end", left(item.text, s.end_offset) as message
    from (
      select * from statement s where s.workspace_id = ${workspaceId} and ${isWaiting}
        and not exists (select from member_suggestion suggested where suggested.workspace_id = ${workspaceId}
          and suggested.item_id = s.item_id and suggested.number = s.number and suggested.correction_id is null)
      order by s.said_at desc, s.item_id desc, s.number desc limit ${limit}
    ) s
    cross join lateral (
      select text from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = s.item_id offset 0
    ) item`.execute(tx)
  return rows.map(({ start, end, message }) => message.slice(start, end))
}

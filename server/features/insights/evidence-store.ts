import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { connectionsView } from '../connections/index.ts'
import { feedbackItemsView } from '../feedback/index.ts'

/** One mention. `text` is exactly `message.slice(start, end)`; offsets are UTF-16 units. */
export type EvidenceRow = {
  issueNumber: number
  itemId: number
  number: number
  start: number
  end: number
  text: string
  /** The stored message; some queries cut it off after the mention. */
  message: string
  author: string | null
  link: string | null
  place: string | null
  saidAt: Date
  /** False: it is when the message was imported. */
  dateKnown: boolean
  /** It is a day without a time. */
  dateOnly: boolean
  source: string
  /** Whether it is part of a conversation with other messages; absent where that was not asked. */
  inThread?: boolean
  /** Whether its text was made of HTML that is kept; absent where that was not asked. */
  hasOriginal?: boolean
  /** Null in an unknown language, and before grouping has decided it. */
  feedbackKind: FeedbackKind | null
  kindBy: string | null
  /** what a language model read in it; absent where that was not asked */
  point?: string | null
  /** A person has corrected that. */
  pointCorrected?: boolean
}

/** The last mention of a page. */
export type EvidencePlace = { saidAt: Date; itemId: number; number: number }

/** What a language model read in statement `s`, and whether a person corrected that. */
export const pointColumns = sql`s.point, (s.point is not null and exists (
    select from model_reading reading where reading.workspace_id = s.workspace_id and reading.item_id = s.item_id
      and reading.corrected and reading.points -> s.number::int -> 'read' is not null)) as "pointCorrected"`

/** The columns of `EvidenceRow`, of a query with `statement s`, `feedback_item item` and `connection`. */
export const evidenceColumns = sql`s.issue_number as "issueNumber", s.item_id as "itemId", s.number, s.start_offset as start,
  s.end_offset as end, item.author, item.link, item.place, s.said_at as "saidAt", item.date_known as "dateKnown", item.date_only as "dateOnly",
  connection.connector as source,
  s.feedback_kind as "feedbackKind", s.kind_by as "kindBy", ${pointColumns}`

/** The newest `limit` mentions of each of these insights, newest first, each message cut off after its mention. */
export async function readNewestEvidence(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  limit: number,
): Promise<EvidenceRow[]> {
  const { rows } = await sql<Omit<EvidenceRow, 'text'>>`
    select ${evidenceColumns}, left(item.text, s.end_offset) as message
    from unnest(${[...numbers]}::int[]) as wanted (number)
    cross join lateral (
      select * from statement
      where workspace_id = ${workspaceId} and issue_number = wanted.number
      order by said_at desc, item_id desc, number desc limit ${limit}
    ) s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    order by s.issue_number, s.said_at desc, s.item_id desc, s.number desc`.execute(tx)
  return rows.map(withText)
}

/** The authors of the newest `limit` mentions of each of these insights, by its number. */
export async function readNewestAuthors(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
  limit: number,
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ number: number; authors: string[] }>`
    select wanted.number, array_agg(distinct item.author) as authors
    from unnest(${[...numbers]}::int[]) as wanted (number)
    cross join lateral (
      select item_id from statement
      where workspace_id = ${workspaceId} and issue_number = wanted.number
      order by said_at desc, item_id desc, number desc limit ${limit}
    ) s
    join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
    where item.author is not null
    group by wanted.number`.execute(tx)
  return new Map(rows.map(({ number, authors }) => [number, authors]))
}

/** Condition for the mentions after that one, in a list with the newest first. */
export const olderThan = ({ saidAt, itemId, number }: EvidencePlace) =>
  sql`and (s.said_at, s.item_id, s.number) < (${saidAt}::timestamptz, ${itemId}::bigint, ${number}::smallint)`

/** Offsets count UTF-16 units but SQL counts characters, so mentions are cut out here and not in SQL. */
export function withText(row: Omit<EvidenceRow, 'text'>): EvidenceRow {
  return { ...row, text: row.message.slice(row.start, row.end) }
}

import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { ChosenAttributes } from '@groundswell/contract/insights/attributes.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'
import { feedbackCustomersView } from '../../customers/index.ts'
import {
  type Asked,
  estimateWithWords,
  feedbackItemsView,
  feedbackWithWords,
  feedbackWithWordsBetween,
  hasPhrase,
  searchedFeedback,
  searchQuery,
} from '../../feedback/index.ts'
import { hasChosen } from '../attributes/list-store.ts'
import { pointColumns } from '../evidence-store.ts'
import { described, shownName } from '../shown-store.ts'
import type { Check } from './terms.ts'

/** Words of at most this many messages are all read and sorted; a search for others reads the newest messages until it has a page. */
export const MANY = 10_000
/** Then it examines this many messages per page. */
const MAX_EXAMINED = 20_000

/** An estimate by statistics may be off by this factor, the more the more words there are. */
const ESTIMATE_MAY_BE_OFF = 4
/** The beginning of a word counts as common where it is frequent in the newest messages, if at least this many may have it: statistics know whole words. */
const MANY_WITH_BEGINNING = 1_000
const EXAMINED_FOR_BEGINNING = 2_000
/** How many of the newest are read in order to fill a page; older ones are found by the index of words. */
const READ_IN_ORDER = 2_000

/** Where a page ends. */
export type FoundPlace = { saidAt: Date; itemId: number }

/** What is searched for, see `Terms`. `asked` null: everything. */
export type Search = {
  asked: Asked | null
  checks: readonly Check[]
  phrases: readonly string[]
  source: string | undefined
  kind: FeedbackKind | undefined
  customer: string | undefined
  attributes: ChosenAttributes
  from: Date | null
  to: Date | null
  after: (FoundPlace & { number: number }) | null
  limit: number
}

const newestFirst = sql`order by said_at desc, item_id desc`
const olderThan = (after: FoundPlace | null) =>
  after ? sql`and (said_at, item_id) < (${after.saidAt}::timestamptz, ${after.itemId}::bigint)` : sql``

/** The folded text. Of ASCII it is the lower case, without a call of the function. */
const folded = sql`case when octet_length(item.text) = char_length(item.text) then lower(item.text) else search_fold(item.text) end`

/**
 * Whether the folded text may have a run of characters without spaces that the text itself has not: folding replaces other forms of characters (half width,
 * composed) and removes characters between them (accents, soft hyphens, zero-width ones). It takes seven times as long as to see whether it would.
 */
const foldingMayChangeRuns = sql`(item.text is not nfkc normalized or item.text ~ '[\\u0300-\\u036f\\u00ad\\u200b\\u2060\\ufeff]')`

/** Whether the folded text passes. What is quick to see comes first: a run as it is in the text itself, and the literal that each match of a pattern has. */
function passes(check: Check) {
  if ('run' in check) {
    const isInText = sql`strpos(item.text, ${check.run}::text) > 0`
    const isInFolded = sql`strpos(search_fold(item.text), ${check.run}::text) > 0`
    return sql`(${isInText} or (${foldingMayChangeRuns} and ${isInFolded}))`
  }
  const matches = sql`${folded} ~ ${check.pattern}::text`
  if (check.literal === null) return sql`(${matches})`
  return sql`(strpos(${folded}, ${check.literal}::text) > 0 and ${matches})`
}

/** The conditions that the index by words does not answer. */
function filters(workspaceId: string, search: Search) {
  const parts = [filtersBesidesText(workspaceId, search)]
  const isWanted = textFilter(search)
  if (isWanted) {
    // `offset 0`: only the texts of messages that the index found are read, one by one.
    parts.push(sql`exists (select from (
        select text from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = f.item_id offset 0
      ) item where ${isWanted})`)
  }
  return sql.join(parts, sql` and `)
}

/** Those of them that are about the text, of `item`; null: none. */
function textFilter({ checks, phrases }: Search) {
  const texts = [...checks.map(passes), ...phrases.map(hasPhrase)]
  return texts.length > 0 ? sql.join(texts, sql` and `) : null
}

function filtersBesidesText(workspaceId: string, { source, kind, customer, attributes }: Search) {
  const parts = [sql`true`]
  if (source !== undefined) {
    parts.push(sql`connection_id = any(array(
      select id from ${connectionsView} connection where workspace_id = ${workspaceId} and connector = ${source}))`)
  }
  if (kind !== undefined) {
    parts.push(sql`exists (select from statement s
      where s.workspace_id = ${workspaceId} and s.item_id = f.item_id and s.feedback_kind = ${kind})`)
  }
  if (customer !== undefined) {
    parts.push(sql`exists (select from ${feedbackCustomersView} said
      where said.workspace_id = ${workspaceId} and said.item_id = f.item_id and said.customer_id = ${customer}::uuid)`)
  }
  if (attributes.size > 0) parts.push(hasChosen(workspaceId, attributes))
  return sql.join(parts, sql` and `)
}

/** The newest messages of each of these insights that pass the filters and have the quoted texts, at most `limit` of each; an insight's newest `examined` mentions are looked at. */
export async function findMembers(
  tx: Tx,
  workspaceId: string,
  search: Search,
  { issueNumbers, examined, limit }: { issueNumbers: readonly number[]; examined: number; limit: number },
): Promise<FoundPlace[]> {
  if (issueNumbers.length === 0) return []
  const { from, to } = search
  const { rows } = await sql<FoundPlace>`
    select distinct member.item_id as "itemId", member.said_at as "saidAt"
    from unnest(${`{${issueNumbers.join(',')}}`}::int[]) as wanted (number)
    cross join lateral (
      select f.item_id, f.said_at from (
        select item_id from statement
        where workspace_id = ${workspaceId} and issue_number = wanted.number
          ${from ? sql`and said_at >= ${from}::timestamptz` : sql``} ${to ? sql`and said_at < ${to}::timestamptz` : sql``}
        order by said_at desc, item_id desc, number desc limit ${examined}
      ) s
      join ${searchedFeedback} f on f.workspace_id = ${workspaceId} and f.item_id = s.item_id
      where ${filters(workspaceId, { ...search, checks: [] })}
      order by f.said_at desc, f.item_id desc limit ${limit}
    ) member`.execute(tx)
  return rows
}

/**
 * The newest messages with words that are common, one more than `limit` if there are: for those the index need not be read. `certain`: more than `MANY` have
 * the words. `all`: as `findNewest` finds them. Null where the words are not common; and for a span of time, which the statistics do not cover.
 */
export async function findCommon(
  tx: Tx,
  workspaceId: string,
  search: Search,
): Promise<{ places: FoundPlace[]; certain: boolean; all: boolean } | null> {
  const { asked } = search
  const estimate = await estimateOf(tx, workspaceId, search)
  if (!asked || estimate === null) return null
  const begins = asked.starting !== '' && estimate > MANY_WITH_BEGINNING
  if (estimate <= MANY && !begins) return null
  const all = estimate > MANY
  const places = await findNewest(tx, workspaceId, search, all ? MAX_EXAMINED : EXAMINED_FOR_BEGINNING)
  return { places, certain: estimate > ESTIMATE_MAY_BE_OFF * MANY, all }
}

/** Whether more than `MANY` messages have the words, as far as statistics tell. */
export async function isCommon(tx: Tx, workspaceId: string, search: Search): Promise<boolean> {
  return ((await estimateOf(tx, workspaceId, search)) ?? 0) > MANY
}

async function estimateOf(tx: Tx, workspaceId: string, { asked, from, to }: Search): Promise<number | null> {
  return asked && !from && !to ? estimateWithWords(tx, workspaceId, asked) : null
}

type Counted = { found: number; passing: number; itemId: number | null; saidAt: Date | null }

/**
 * The places of a page, one more than `limit` if there are more, and how many there are in all; null when too many messages have the words
 * to read them all.
 */
export async function findFew(
  tx: Tx,
  workspaceId: string,
  search: Search & { asked: Asked },
): Promise<{ places: FoundPlace[]; total: number } | null> {
  const isWanted = textFilter(search)
  // All texts at once, which takes two thirds of the time of one by one.
  const hasText = isWanted
    ? sql`item_id in (
        select id from (
          select id, text from ${feedbackItemsView} item
          where workspace_id = ${workspaceId} and id = any(array(select item_id from wanted)) offset 0
        ) item where ${isWanted}
      )`
    : sql`true`
  const { rows } = await sql<Counted>`
    with found as materialized (select * from ${feedbackWithWords(workspaceId, search.asked, search, MANY + 1)}),
    wanted as materialized (
      select item_id, said_at from found f
      where (select count(*) from found) <= ${MANY} and ${filtersBesidesText(workspaceId, search)}
    ),
    passing as materialized (select item_id, said_at from wanted where ${hasText})
    select counted.*, page.item_id as "itemId", page.said_at as "saidAt"
    from (select (select count(*)::int from found) as found, (select count(*)::int from passing) as passing) counted
    left join (
      select * from passing where true ${olderThan(search.after)} ${newestFirst} limit ${search.limit + 1}
    ) page on true
    ${newestFirst}`.execute(tx)
  if ((rows[0]?.found ?? 0) > MANY) return null
  const places = rows.flatMap(({ itemId, saidAt }) => (itemId === null || saidAt === null ? [] : [{ itemId, saidAt }]))
  return { places, total: rows[0]?.passing ?? 0 }
}

const dated = (workspaceId: string, { from, to, after }: Search) => sql`
  workspace_id = ${workspaceId} ${from ? sql`and said_at >= ${from}::timestamptz` : sql``}
    ${to ? sql`and said_at < ${to}::timestamptz` : sql``} ${olderThan(after)}`

/** The same of the newest messages: fast when many have the words, or all are wanted. */
export async function findNewest(
  tx: Tx,
  workspaceId: string,
  search: Search,
  examined = MAX_EXAMINED,
): Promise<FoundPlace[]> {
  const { asked, limit } = search
  if (!asked || examined <= READ_IN_ORDER) return readInOrder(tx, workspaceId, search, examined)
  const places = await readInOrder(tx, workspaceId, search, READ_IN_ORDER)
  return places.length > limit ? places : findAmongNewest(tx, workspaceId, { ...search, asked }, examined)
}

/** The newest of the newest `examined` messages that have the words, which the index tells. */
async function findAmongNewest(
  tx: Tx,
  workspaceId: string,
  search: Search & { asked: Asked },
  examined: number,
): Promise<FoundPlace[]> {
  const { asked, from, to, after, limit } = search
  const oldest = sql`coalesce((select said_at from last_one), ${from}::timestamptz, '-infinity')`
  const newest = sql`coalesce(${after?.saidAt ?? to}::timestamptz, 'infinity')`
  const { rows } = await sql<FoundPlace>`
    with last_one as materialized (
      select said_at, item_id from ${searchedFeedback} one where ${dated(workspaceId, search)}
      ${newestFirst} offset ${examined - 1} limit 1
    )
    select item_id as "itemId", said_at as "saidAt" from (
      select * from ${feedbackWithWordsBetween(workspaceId, asked, oldest, newest)} one
      where (not exists (select from last_one) or (said_at, item_id) >= (select said_at, item_id from last_one))
        ${to ? sql`and said_at < ${to}::timestamptz` : sql``} ${olderThan(after)}
      ${newestFirst} offset 0
    ) f
    where ${filters(workspaceId, search)}
    ${newestFirst} limit ${limit + 1}`.execute(tx)
  return rows
}

async function readInOrder(tx: Tx, workspaceId: string, search: Search, examined: number): Promise<FoundPlace[]> {
  const hasWords = search.asked ? sql`words @@ ${searchQuery(workspaceId, search.asked)} and` : sql``
  const { rows } = await sql<FoundPlace>`
    select item_id as "itemId", said_at as "saidAt" from (
      select * from ${searchedFeedback} one where ${dated(workspaceId, search)} ${newestFirst} limit ${examined}
    ) f
    where ${hasWords} ${filters(workspaceId, search)}
    ${newestFirst} limit ${search.limit + 1}`.execute(tx)
  return rows
}

/** The last message that `findNewest` examines; null when it reaches the end. */
export async function lastExamined(tx: Tx, workspaceId: string, search: Search): Promise<FoundPlace | null> {
  const { rows } = await sql<FoundPlace>`
    select item_id as "itemId", said_at as "saidAt" from ${searchedFeedback} one where ${dated(workspaceId, search)}
    ${newestFirst} offset ${MAX_EXAMINED - 1} limit 1`.execute(tx)
  return rows[0] ?? null
}

/** How many messages there are, without words and filters by anything but time; counting stops at `MANY`. */
export async function countDated(tx: Tx, workspaceId: string, search: Search): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${searchedFeedback} one where ${dated(workspaceId, { ...search, after: null })} limit ${MANY}
    ) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

/** A message with one of its statements; `number` null: it has none yet. */
export type FoundRow = {
  itemId: number
  message: string
  author: string | null
  link: string | null
  place: string | null
  saidAt: Date
  dateKnown: boolean
  dateOnly: boolean
  source: string
  number: number | null
  start: number
  end: number
  issueNumber: number | null
  feedbackKind: FeedbackKind | null
  kindBy: string | null
  point: string | null
  pointCorrected: boolean
}

/** These messages, in this order, a row for each of their statements. */
export async function readFound(tx: Tx, workspaceId: string, ids: readonly number[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FoundRow>`
    select item.id as "itemId", item.text as message, item.author, item.link, item.place, item.said_at as "saidAt",
      item.date_known as "dateKnown", item.date_only as "dateOnly", connection.connector as source, s.number, coalesce(s.start_offset, 0) as start, coalesce(s.end_offset, 0) as end,
      s.issue_number as "issueNumber", s.feedback_kind as "feedbackKind", s.kind_by as "kindBy", ${pointColumns}
    from unnest(${`{${ids.join(',')}}`}::bigint[]) with ordinality as wanted (id, position)
    cross join lateral (
      select id, connection_id, text, author, link, place, said_at, date_known, date_only from ${feedbackItemsView} item
      where workspace_id = ${workspaceId} and id = wanted.id offset 0
    ) item
    join ${connectionsView} connection on connection.workspace_id = ${workspaceId} and connection.id = item.connection_id
    left join statement s on s.workspace_id = ${workspaceId} and s.item_id = item.id
    order by wanted.position, s.number`.execute(tx)
  return rows
}

/** The names of those of these insights that the list shows, by number. */
export async function readNamesOfShown(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ issueNumber: number; name: string }>`
    select insight.issue_number as "issueNumber", ${shownName} as name from insight ${described}
    where insight.workspace_id = ${workspaceId} and insight.issue_number = any(${`{${numbers.join(',')}}`}::int[])
      and insight.deleted_at is null and insight.ended_at is null and not insight.hidden`.execute(tx)
  return new Map(rows.map((row) => [row.issueNumber, row.name]))
}

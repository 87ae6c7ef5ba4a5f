import { ContractError } from '@groundswell/contract/errors.ts'
import type { FeedbackKind } from '@groundswell/contract/feedback-kind.ts'
import type { FoundFeedback, searchFeedback } from '@groundswell/contract/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { isSearchFilled } from '../../feedback/index.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { fullMention } from '../mention.ts'
import {
  countDated,
  type FoundPlace,
  type FoundRow,
  findFew,
  findNewest,
  lastExamined,
  MANY,
  readFound,
  readNamesOfShown,
  type Search,
} from './store.ts'
import { readTerms } from './terms.ts'

/** In a cursor: too many messages have the words to read them all. */
const MANY_FOUND = 1

type Query = {
  words?: string | undefined
  source?: string | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: FeedbackKind | undefined
  customer?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** A page of all feedback that has the words, newest first. Throws `invalid_input` for a malformed cursor or a span that ends before it begins. */
export async function searchPage(tx: Tx, workspaceId: string, query: Query): Promise<ReplyOf<typeof searchFeedback>> {
  const terms = readTerms(query.words ?? '')
  const search: Search = {
    asked: terms,
    phrases: terms?.phrases ?? [],
    source: query.source?.toWellFormed(),
    kind: query.kind,
    customer: query.customer,
    from: query.from === undefined ? null : new Date(query.from),
    to: query.to === undefined ? null : new Date(query.to),
    after: query.cursor === undefined ? null : readCursor(query.cursor),
    limit: query.limit,
  }
  if (search.from && search.to && search.from > search.to) {
    throw new ContractError('invalid_input', 'The time ends before it begins', { 'query.to': 'before from' })
  }
  const { places, total, end, many } = await findPage(tx, workspaceId, search)
  const rows = await readFound(
    tx,
    workspaceId,
    places.map(({ itemId }) => itemId),
  )
  const numbers = new Set(rows.flatMap(({ issueNumber }) => issueNumber ?? []))
  const names = await readNamesOfShown(tx, workspaceId, [...numbers])
  const words = `${terms?.words ?? ''} ${terms?.starting ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean)
  return {
    mentions: [...Map.groupBy(rows, ({ itemId }) => itemId).values()].map((one) => view(one, words, query.kind, names)),
    total: search.after === null ? total : null,
    next_cursor: end && writeCursor({ ...end, number: many ? MANY_FOUND : 0 }),
    complete: await isSearchFilled(tx, workspaceId),
  }
}

type Found = { places: FoundPlace[]; total: number | null; end: FoundPlace | null; many: boolean }

async function findPage(tx: Tx, workspaceId: string, search: Search): Promise<Found> {
  const { asked, limit } = search
  const known = search.after?.number === MANY_FOUND
  const few = asked && !known ? await findFew(tx, workspaceId, { ...search, asked }) : null
  const found = few?.places ?? (await findNewest(tx, workspaceId, search))
  const places = found.slice(0, limit)
  const hasMore = found.length > limit
  const end = hasMore ? (places.at(-1) ?? null) : few ? null : await lastExamined(tx, workspaceId, search)
  const total = few ? few.total : search.after ? null : await totalOfMany(tx, workspaceId, search)
  return { places, total, end, many: few === null }
}

async function totalOfMany(tx: Tx, workspaceId: string, search: Search): Promise<number | null> {
  if (
    search.source !== undefined ||
    search.kind !== undefined ||
    search.customer !== undefined ||
    search.phrases.length > 0
  )
    return null
  return search.asked ? MANY : await countDated(tx, workspaceId, search)
}

/** A message by the statement that has the most of the words; of several the first. */
function view(
  rows: readonly FoundRow[],
  words: readonly string[],
  kind: FeedbackKind | undefined,
  names: ReadonlyMap<number, string>,
): FoundFeedback {
  const fits = ({ message, start, end, feedbackKind }: FoundRow) => {
    const text = message.slice(start, end).toLowerCase()
    return words.filter((word) => text.includes(word)).length + (kind === feedbackKind ? words.length + 1 : 0)
  }
  const best = rows.reduce((one, other) => (fits(other) > fits(one) ? other : one))
  const numbers = new Set(rows.flatMap(({ issueNumber }) => issueNumber ?? []))
  const insights = [...numbers].flatMap((number) => {
    const name = names.get(number)
    return name === undefined ? [] : [{ issue_number: number, issue_name: name }]
  })
  const { number, start, end } = best.number === null ? { number: 0, start: 0, end: best.message.length } : best
  const text = best.message.slice(start, end)
  const { id, ...mention } = fullMention({
    ...best,
    issueNumber: best.issueNumber ?? 0,
    number: number ?? 0,
    start,
    end,
    text,
  })
  return { ...mention, ...(best.number === null ? {} : { id }), insights }
}

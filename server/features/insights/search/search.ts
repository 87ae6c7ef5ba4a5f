import { ContractError } from '@groundswell/contract/errors.ts'
import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { readAttributes } from '@groundswell/contract/insights/attributes.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { isSearchFilled } from '../../feedback/index.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import {
  countDated,
  type FoundPlace,
  findCommon,
  findFew,
  findNewest,
  lastExamined,
  MANY,
  type Search,
} from './store.ts'
import { readTerms, type Terms } from './terms.ts'
import { fitsWords, viewFound } from './view.ts'

/** In a cursor: too many messages have the words to read them all. */
const MANY_FOUND = 1

/** What restricts a search. */
export type SearchFilters = {
  source?: string | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: FeedbackKind | undefined
  customer?: string | undefined
  attributes?: string | undefined
}

/** What one page of a search covers. */
export type SearchQuery = SearchFilters & { words?: string | undefined; cursor?: string | undefined; limit: number }

/** A search that starts with its first page. Throws `invalid_input` for a span that ends before it begins. */
export function readSearch(query: SearchQuery, terms: Terms | null): Search {
  const { source, kind, customer, attributes, from, to, limit } = query
  const search: Search = {
    asked: terms?.asked ?? null,
    checks: terms?.checks ?? [],
    phrases: terms?.phrases ?? [],
    source: source?.toWellFormed(),
    kind,
    customer,
    attributes: readAttributes(attributes ?? ''),
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
    after: null,
    limit,
  }
  if (search.from && search.to && search.from > search.to) {
    throw new ContractError('invalid_input', 'The period ends before it begins', { 'query.to': 'before from' })
  }
  return search
}

/** A page of all feedback that has the words, newest first. Throws `invalid_input` for a malformed cursor or a span that ends before it begins. */
export async function searchPage(
  tx: Tx,
  workspaceId: string,
  query: SearchQuery,
): Promise<ReplyOf<typeof searchFeedback>> {
  const terms = readTerms(query.words ?? '')
  const search = { ...readSearch(query, terms), after: query.cursor === undefined ? null : readCursor(query.cursor) }
  const { places, total, end, many } = await findPage(tx, workspaceId, search)
  const ids = places.map(({ itemId }) => itemId)
  return {
    mentions: (await viewFound(tx, workspaceId, ids, fitsWords(terms?.words ?? [], query.kind))).map(
      ({ found }) => found,
    ),
    total: search.after === null ? total : null,
    next_cursor: end && writeCursor({ ...end, number: many ? MANY_FOUND : 0 }),
    complete: await isSearchFilled(tx, workspaceId),
  }
}

type Found = { places: FoundPlace[]; total: number | null; end: FoundPlace | null; many: boolean }

async function findPage(tx: Tx, workspaceId: string, search: Search): Promise<Found> {
  const { asked } = search
  const known = search.after?.number === MANY_FOUND
  const common = known ? null : await findCommon(tx, workspaceId, search)
  if (common && common.places.length > search.limit) {
    const page = await pageOfMany(tx, workspaceId, search, common.places)
    return common.certain ? page : { ...page, total: null }
  }
  const few = asked && !known ? await findFew(tx, workspaceId, { ...search, asked }) : null
  if (!few) {
    const newest = common?.all ? common.places : await findNewest(tx, workspaceId, search)
    return pageOfMany(tx, workspaceId, search, newest)
  }
  const places = few.places.slice(0, search.limit)
  const end = few.places.length > search.limit ? (places.at(-1) ?? null) : null
  return { places, total: few.total, end, many: false }
}

/** A page of results, found by reading from the newest message on. */
async function pageOfMany(tx: Tx, workspaceId: string, search: Search, found: readonly FoundPlace[]): Promise<Found> {
  const places = found.slice(0, search.limit)
  const hasMore = found.length > search.limit
  const end = hasMore ? (places.at(-1) ?? null) : await lastExamined(tx, workspaceId, search)
  return { places, total: search.after ? null : await totalOfMany(tx, workspaceId, search), end, many: true }
}

async function totalOfMany(tx: Tx, workspaceId: string, search: Search): Promise<number | null> {
  if (
    search.source !== undefined ||
    search.kind !== undefined ||
    search.customer !== undefined ||
    search.checks.length > 0 ||
    search.attributes.size > 0 ||
    search.phrases.length > 0
  )
    return null
  return search.asked ? MANY : await countDated(tx, workspaceId, search)
}

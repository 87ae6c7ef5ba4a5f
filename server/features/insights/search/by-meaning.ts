import { ContractError } from '@groundswell/contract/errors.ts'
import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { isSearchFilled } from '../../feedback/index.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import type { ComparedSearch, SearchByMeaning } from './compared-search.ts'
import { readSearch, type SearchQuery, searchPage } from './search.ts'
import { type FoundPlace, findMembers, readNamesOfShown, type Search } from './store.ts'
import { readTerms } from './terms.ts'
import { fitsMeaning, viewFound } from './view.ts'

/** How many of the nearest insights contribute messages, how similar they have to be, and how many of their newest messages are compared. */
const NEAR = { insights: 10, similarity: 0.25, messages: 50, examined: 1_000 }
/** This many of them are named in the reply, if they are this similar. */
const NAMED = { insights: 5, similarity: 0.35 }
/** A message without every word has to be this similar. Chosen with labelled searches: docs/benchmarks/search.md. */
const MIN_SIMILARITY = 0.25
/** The bonus of a message with every word, and the least similarity that it is given: it is found even while it has no vector. */
const WORDS = { bonus: 0.15, atLeast: 0.25 }

/** The first letter of a cursor of a search by meaning. Cursors of a search by words begin with another one. */
const CURSOR = 'm'
/** A score is stored in a cursor as a whole number of these steps. */
const STEPS = 20_000

/** `rank`: the higher, the better. */
export type Ranked = FoundPlace & { rank: number; hasAll: boolean }

/** A page of a search by meaning, best match first; falls back to words while meanings cannot be compared. */
export async function searchPageByMeaning(
  services: Services,
  meaning: SearchByMeaning | undefined,
  workspaceId: string,
  query: SearchQuery,
): Promise<ReplyOf<typeof searchFeedback>> {
  const terms = readTerms(query.words ?? '')
  const { cursor } = query
  const byWords = (tx: Tx) => searchPage(tx, workspaceId, query)
  if (!terms || (cursor !== undefined && !cursor.startsWith(CURSOR)))
    return inWorkspace(services.db, workspaceId, byWords)
  const after = cursor === undefined ? null : readCursor(cursor.slice(CURSOR.length))
  const compared = meaning ? await meaning(query.words ?? '') : 'off'
  return inWorkspace(services.db, workspaceId, async (tx) => {
    if (typeof compared === 'string') {
      if (after)
        throw new ContractError('not_ready', 'Searching by meaning is not available at the moment: search again')
      return { ...(await byWords(tx)), meaning: compared }
    }
    const { ranked, near, similarities } = await rankByMeaning(tx, workspaceId, readSearch(query, terms), compared)
    const rest = after ? ranked.filter((one) => isAfter(one, { ...after, rank: after.number })) : ranked
    const page = rest.slice(0, query.limit)
    const hasAll = new Map(page.map((one) => [one.itemId, one.hasAll]))
    const fits = fitsMeaning(similarities, query.kind)
    const found = await viewFound(tx, workspaceId, [...hasAll.keys()], fits)
    const last = rest.length > query.limit ? page.at(-1) : undefined
    return {
      mentions: found.map((one) => ({ ...one.found, found_by: hasAll.get(one.itemId) ? 'words' : 'meaning' })),
      total: after ? null : ranked.length,
      next_cursor: last ? `${CURSOR}${writeCursor({ ...last, number: last.rank })}` : null,
      complete: await isSearchFilled(tx, workspaceId),
      ...(after ? {} : { meaning: 'used' as const, near: await nameInsights(tx, workspaceId, near) }),
    }
  })
}

/**
 * All results, the best first. The rank of a message depends on nothing but its own words and vectors, so that pages neither repeat nor omit one that
 * does not change between them.
 */
export async function rankByMeaning(tx: Tx, workspaceId: string, search: Search, compared: ComparedSearch) {
  const near = (await compared.nearInsights(tx, workspaceId))
    .filter(({ similarity }) => similarity >= NEAR.similarity)
    .sort((a, b) => b.similarity - a.similarity || a.issueNumber - b.issueNumber)
    .slice(0, NEAR.insights)
  const candidates = await findCandidates(tx, workspaceId, search)
  const issueNumbers = near.map(({ issueNumber }) => issueNumber)
  for (const member of await findMembers(tx, workspaceId, search, { ...NEAR, issueNumbers, limit: NEAR.messages })) {
    if (!candidates.has(member.itemId)) candidates.set(member.itemId, { ...member, hasAll: false, weight: 0 })
  }
  const similarities = await compared.similarities(tx, workspaceId, [...candidates.keys()])
  const best = new Map<number, number>()
  for (const [id, similarity] of similarities) {
    const itemId = Number(id.slice(0, id.indexOf(':')))
    best.set(itemId, Math.max(similarity, best.get(itemId) ?? -1))
  }
  const ranked = [...candidates.values()].flatMap((one) => rankOf(one, best.get(one.itemId) ?? 0)).sort(byRank)
  return { ranked, near, similarities }
}

function rankOf({ saidAt, itemId, hasAll }: Candidate, similarity: number): Ranked[] {
  if (!hasAll && similarity < MIN_SIMILARITY) return []
  const score = hasAll ? Math.max(similarity, WORDS.atLeast) + WORDS.bonus : similarity
  return [{ saidAt, itemId, hasAll, rank: Math.round(score * STEPS) }]
}

function byRank(a: Omit<Ranked, 'hasAll'>, b: Omit<Ranked, 'hasAll'>): number {
  return b.rank - a.rank || b.saidAt.getTime() - a.saidAt.getTime() || b.itemId - a.itemId
}

function isAfter(one: Ranked, place: Omit<Ranked, 'hasAll'>): boolean {
  return byRank(one, place) > 0
}

async function nameInsights(tx: Tx, workspaceId: string, near: readonly { issueNumber: number; similarity: number }[]) {
  const named = near.filter(({ similarity }) => similarity >= NAMED.similarity).slice(0, NAMED.insights)
  const numbers = named.map(({ issueNumber }) => issueNumber)
  const names = await readNamesOfShown(tx, workspaceId, numbers)
  return numbers.flatMap((issue_number) => {
    const issue_name = names.get(issue_number)
    return issue_name === undefined ? [] : [{ issue_number, issue_name }]
  })
}

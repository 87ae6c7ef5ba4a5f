import { foldText } from '@groundswell/contract/values/fold-text.ts'
import { UNSPACED } from '@groundswell/contract/values/search-terms.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type FoundPlace, findFew, findNewest, isCommon, type Search } from './store.ts'
import { oneWord } from './terms.ts'

/** A message that may be a result. `hasAll`: every word occurs. `weight`: the sum over the words that occur; rare ones count most. */
export type Candidate = FoundPlace & { hasAll: boolean; weight: number }

/** The most messages with words whose meanings are compared. */
const MAX_CANDIDATES = 1_000
/** With fewer messages that have every word, those with some of them are compared too. */
const ENOUGH = 200
/** Two characters are a word where no spaces are between words. */
const WORD = new RegExp(`[${UNSPACED}]{2,}|(?:(?![${UNSPACED}])[\\p{L}\\p{N}]){3,}`, 'gu')
const MAX_WORDS = 5

/** The newest messages with every word, and where those are few, messages with some of the words, those with the rarest first; 1,000 at most. */
export async function findCandidates(tx: Tx, workspaceId: string, search: Search): Promise<Map<number, Candidate>> {
  const { asked } = search
  const found = new Map<number, Candidate>()
  if (!asked) return found
  const all = { ...search, asked, limit: MAX_CANDIDATES }
  const few = (await isCommon(tx, workspaceId, all)) ? null : await findFew(tx, workspaceId, all)
  const places = few?.places ?? (await findNewest(tx, workspaceId, all))
  for (const place of places.slice(0, MAX_CANDIDATES)) found.set(place.itemId, { ...place, hasAll: true, weight: 0 })
  if (found.size >= ENOUGH) return found
  for (const { total, few } of await eachWord(tx, workspaceId, all)) {
    for (const place of few) {
      const known = found.get(place.itemId) ?? { ...place, hasAll: false, weight: 0 }
      if (found.size < MAX_CANDIDATES || found.has(place.itemId)) found.set(place.itemId, known)
      known.weight += 1 / Math.log2(2 + total)
    }
  }
  return found
}

/** The newest messages with each of the longest words, the rarest word first. Common words are left out: they distinguish little. */
async function eachWord(tx: Tx, workspaceId: string, search: Search & { asked: NonNullable<Search['asked']> }) {
  const { words, starting } = search.asked
  const typed = [...new Set(foldText(`${words} ${starting}`).match(WORD) ?? [])]
  const longest = typed.sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)
  if (longest.length < 2) return []
  const each: { total: number; few: FoundPlace[] }[] = []
  for (const word of longest) {
    const alone = { ...search, ...oneWord(word) }
    const one = (await isCommon(tx, workspaceId, alone)) ? null : await findFew(tx, workspaceId, alone)
    if (one) each.push({ total: one.total, few: one.places })
  }
  return each.sort((a, b) => a.total - b.total)
}

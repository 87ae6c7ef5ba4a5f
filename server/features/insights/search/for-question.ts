import type { FoundFeedback, MeaningUse } from '@groundswell/contract/feedback/feedback-search.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { rankByMeaning } from './by-meaning.ts'
import { findCandidates } from './candidates.ts'
import type { SearchByMeaning } from './compared-search.ts'
import { readSearch, type SearchFilters } from './search.ts'
import { readTerms } from './terms.ts'
import { fitsMeaning, fitsWords, viewFound } from './view.ts'

/** A question, and those of its words that messages are searched for. */
export type QuestionSearch = SearchFilters & { question: string; words: readonly string[]; limit: number }

/**
 * The messages that match a question best, best first. Unlike in a search, they need not have all of the words, even if meanings cannot be compared:
 * then those with the most and the rarest words come first.
 */
export async function findForQuestion(
  services: Services,
  meaning: SearchByMeaning | undefined,
  workspaceId: string,
  { question, words, ...query }: QuestionSearch,
): Promise<{ feedback: FoundFeedback[]; meaning: MeaningUse }> {
  const search = readSearch(query, readTerms(words.join(' ').replace(/["“”„]/g, ' ')))
  const compared = meaning ? await meaning(question) : 'off'
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const view = async (ids: readonly number[], fits: Parameters<typeof viewFound>[3]) =>
      (await viewFound(tx, workspaceId, ids.slice(0, query.limit), fits)).map(({ found }) => found)
    if (typeof compared !== 'string') {
      const { ranked, similarities } = await rankByMeaning(tx, workspaceId, search, compared)
      const ids = ranked.map(({ itemId }) => itemId)
      return { feedback: await view(ids, fitsMeaning(similarities, query.kind)), meaning: 'used' }
    }
    const candidates = [...(await findCandidates(tx, workspaceId, search)).values()].sort(
      (a, b) =>
        Number(b.hasAll) - Number(a.hasAll) ||
        b.weight - a.weight ||
        b.saidAt.getTime() - a.saidAt.getTime() ||
        b.itemId - a.itemId,
    )
    const ids = candidates.map(({ itemId }) => itemId)
    return { feedback: await view(ids, fitsWords(words, query.kind)), meaning: compared }
  })
}

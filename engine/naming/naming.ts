import type { Node } from '../state/state.ts'
import { type Candidate, chooseTitle, type Member } from './choice.ts'
import { titleVariants, type WordShares } from './details.ts'
import { type AnalysedSentence, nameKey } from './sentences.ts'

/** Titles are generated from this many of the most central sentences. */
const MAX_SENTENCES = 90
/** A message usually says what it is about in its first sentence. */
const LATER_SENTENCE_FACTOR = 0.85
/** Shortened sentences may have lost their subject. */
const CUT_FACTOR = 0.96
const THINNED_FACTOR = 0.99
const ENDING_LENGTH = 4
/** With this many candidates, titles below the minimum quality are skipped. */
const ENOUGH_CANDIDATES = 12
const MIN_QUALITY = 0.5

/** A sentence of a group: its node, the number of messages the node stands for, and how central the sentence is. */
export type Sentence = AnalysedSentence & { node: Node; weight: number; centrality: number }

/**
 * The best title for a group among those its own sentences yield (`chooseTitle`). `rarity` of a stem is that of the
 * workspace; `taken` holds keys of names in use (`nameKey`). Null if no sentence is suitable.
 */
export function chooseName(
  sentences: Sentence[],
  shares: WordShares,
  rarity: (stemmed: string) => number,
  language: string,
  taken: Set<string>,
): string | null {
  const members = new Map<Node, Member>()
  for (const { node, intents, weight } of sentences) {
    const said = members.get(node)
    if (said) said.sentences.push(intents)
    else members.set(node, { sentences: [intents], weight })
  }
  const candidates: Candidate[] = []
  const seen = new Set<string>()
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
    if (sentence.title === null) continue
    const said = (sentence.first ? 1 : LATER_SENTENCE_FACTOR) * (sentence.node.language === language ? 1 : 0.4)
    const ending = sentence.title.text.slice(-ENDING_LENGTH)
    for (const title of titleVariants(sentence.title, sentence.text, sentence.node.language, shares)) {
      if (seen.has(title.text) || taken.has(title.key) || taken.has(title.text)) continue
      seen.add(title.text)
      const cut = title === sentence.title ? 1 : title.text.endsWith(ending) ? THINNED_FACTOR : CUT_FACTOR
      const quality = cut * title.quality * said
      if (quality < MIN_QUALITY && candidates.length >= ENOUGH_CANDIDATES) continue
      candidates.push({ text: title.text, intents: title.intents, quality, of: members.get(sentence.node) })
    }
  }
  return chooseTitle(candidates, [...members.values()], rarity, (title) => taken.has(nameKey(title)))
}

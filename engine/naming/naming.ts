import type { Node } from '../state/state.ts'
import { type Candidate, chooseTitle, type Member } from './choice.ts'
import { type Shares, variantsOf } from './details.ts'
import { keyOf, type Read } from './sentences.ts'

/** A name is looked for among so many of the most central sentences. */
const CENTRAL = 90
/** What a message is about is mostly said in its first sentence. */
const LATER = 0.85
/** What is left of a sentence may miss what it was about. */
const CUT = 0.96
const THINNED = 0.99
const ENDING = 4
/** Where there are enough, one that reads worse than this is not looked at. */
const ENOUGH = 12
const POOR = 0.5

/** A sentence of a group: the text it is of, how many messages that stands for, and how central the sentence is. */
export type Sentence = Read & { node: Node; weight: number; centrality: number }

/**
 * The heading for a group among the headings its own sentences make (`chooseTitle`). `rarity` of a stem is that of the
 * workspace; `taken` are keys of names in use (`keyOf`). Null when no sentence is fit.
 */
export function nameOf(
  sentences: Sentence[],
  shares: Shares,
  rarity: (stemmed: string) => number,
  language: string,
  taken: Set<string>,
): string | null {
  const members = new Map<Node, Member>()
  for (const { node, aims, weight } of sentences) {
    const said = members.get(node)
    if (said) said.sentences.push(aims)
    else members.set(node, { sentences: [aims], weight })
  }
  const candidates: Candidate[] = []
  const seen = new Set<string>()
  for (const sentence of sentences.slice(0, CENTRAL)) {
    if (sentence.title === null) continue
    const said = (sentence.first ? 1 : LATER) * (sentence.node.language === language ? 1 : 0.4)
    const ending = sentence.title.text.slice(-ENDING)
    for (const title of variantsOf(sentence.title, sentence.text, sentence.node.language, shares)) {
      if (seen.has(title.text) || taken.has(title.key) || taken.has(title.text)) continue
      seen.add(title.text)
      const cut = title === sentence.title ? 1 : title.text.endsWith(ending) ? THINNED : CUT
      const quality = cut * title.quality * said
      if (quality < POOR && candidates.length >= ENOUGH) continue
      candidates.push({ text: title.text, aims: title.aims, quality, of: members.get(sentence.node) })
    }
  }
  return chooseTitle(candidates, [...members.values()], rarity, (title) => taken.has(keyOf(title)))
}

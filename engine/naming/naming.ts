import type { Node } from '../state/state.ts'
import { type Candidate, type Member, type Ranked, rankTitles } from './choice.ts'
import { cosineOf } from '../text/packed-vectors.ts'
import { titleVariants, type WordShares } from './details.ts'
import { sharedPhrase } from './phrases.ts'
import { type AnalysedSentence, nameKey, type Title } from './sentences.ts'
import { asPhrase } from './wording.ts'
import { type Speaker, type Support, supportIn } from './support.ts'

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
/** At least this share of the group's messages must say what a name says. */
const MIN_SUPPORT = 0.5
/** A title with less than this share of the best score is no better than a phrase. */
const MIN_RELATIVE_SCORE = 0.6

/** A sentence of a group: its node, the number of messages the node stands for, and how central the sentence is. */
export type Sentence = AnalysedSentence & { node: Node; weight: number; centrality: number }

/** `confident`: at least half of the group's messages say what the name says. */
export type Name = { name: string; confident: boolean }

type TitleCandidate = Candidate & { title: Title; node: Node }

/**
 * The best title for a group among those its own sentences yield (`rankTitles`) that most of its messages support. If there is
 * none, the phrase that most share, as a guess. `rarity` of a stem is that of the workspace; `taken` holds keys of names in
 * use (`nameKey`). Null if no sentence is suitable.
 */
export function chooseName(
  sentences: Sentence[],
  shares: WordShares,
  rarity: (stemmed: string) => number,
  language: string,
  taken: Set<string>,
): Name | null {
  const members = new Map<Node, Member>()
  for (const { node, intents, weight } of sentences) {
    const said = members.get(node)
    if (said) said.sentences.push(intents)
    else members.set(node, { sentences: [intents], weight })
  }
  const nearness = nearnessOf([...members.keys()])
  const candidates: TitleCandidate[] = []
  const seen = new Set<string>()
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) {
    if (sentence.title === null) continue
    const said = (sentence.first ? 1 : LATER_SENTENCE_FACTOR) * (sentence.node.language === language ? 1 : 0.4) * nearness(sentence.node)
    const ending = sentence.title.text.slice(-ENDING_LENGTH)
    for (const title of titleVariants(sentence.title, sentence.text, sentence.node.language, shares)) {
      if (seen.has(title.text) || taken.has(title.key) || taken.has(title.text)) continue
      seen.add(title.text)
      const cut = title === sentence.title ? 1 : title.text.endsWith(ending) ? THINNED_FACTOR : CUT_FACTOR
      const quality = cut * title.quality * said
      if (quality < MIN_QUALITY && candidates.length >= ENOUGH_CANDIDATES) continue
      const { text, intents } = title
      candidates.push({ text, intents, quality, of: members.get(sentence.node), title, node: sentence.node })
    }
  }
  const ranked = rankTitles(candidates, [...members.values()], rarity)
  const best = ranked[0]
  if (!best) return null
  const support = supportOf(sentences, rarity)
  const worded = (title: string) => {
    const phrase = asPhrase(title)
    return taken.has(phrase) || taken.has(nameKey(phrase)) ? title : phrase
  }
  for (const { candidate, score } of ranked) {
    if (score < MIN_RELATIVE_SCORE * best.score) break
    if (support.ofTitle(candidate.title, candidate.node) >= MIN_SUPPORT) return { name: worded(candidate.text), confident: true }
  }
  const phrase = sharedPhrase(
    sentences.slice(0, MAX_SENTENCES).map(({ text, node, weight }) => ({ text, language: node.language, weight })),
    (stemmed, language) => support.ofWord(stemmed, language),
    rarity,
    (text) => taken.has(text) || taken.has(nameKey(text)),
  )
  if (process.env.DBG) console.log('   ~', ranked.slice(0, 4).map((r) => `${r.candidate.text} [${(r.score / best.score).toFixed(2)} ${support.ofTitle(r.candidate.title, r.candidate.node).toFixed(2)}]`).join(' | '), '=>', phrase)
  return { name: phrase ?? worded(bestGuess(ranked, support) ?? best.candidate.text), confident: false }
}

function bestGuess(ranked: Ranked<TitleCandidate>[], support: Support): string | null {
  let most = 0
  let name: string | null = null
  for (const { candidate, score } of ranked) {
    if (score < MIN_RELATIVE_SCORE * (ranked[0]?.score ?? 0)) break
    const gain = score * (0.5 + support.ofTitle(candidate.title, candidate.node))
    if (gain <= most) continue
    most = gain
    name = candidate.text
  }
  return name
}

/** How near the statement of each node is to those of the others, relative to the nearest: 0 to 1; 1 without vectors. */
function nearnessOf(nodes: readonly Node[]): (node: Node) => number {
  const withVector = nodes.filter(({ vector }) => vector !== undefined)
  if (withVector.length < 3 || withVector.length < nodes.length / 2) return () => 1
  const means = new Map(
    withVector.map((node) => {
      let sum = 0
      for (const other of withVector) if (other !== node) sum += cosineOf(node.vector as Int8Array, other.vector as Int8Array)
      return [node, Math.max(0, sum / (withVector.length - 1))]
    }),
  )
  const most = [...means.values()].reduce((max, mean) => Math.max(max, mean), 0)
  return (node) => (most > 0 ? Math.sqrt((means.get(node) ?? most) / most) : 1)
}

/** Which of the members say what a title says. */
export function supportOf(sentences: readonly Sentence[], rarity: (stemmed: string) => number): Support {
  const speakers = new Map<Node, Speaker>()
  for (const { node, stems, weight } of sentences) {
    const known = speakers.get(node)
    if (!known) speakers.set(node, { node, stems: new Set(stems), weight })
    else for (const stemmed of stems) known.stems.add(stemmed)
  }
  return supportIn([...speakers.values()], rarity)
}

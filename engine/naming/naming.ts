import { toneOf } from '../kinds/tone.ts'
import { nodeTone } from '../state/node-tone.ts'
import type { Node } from '../state/state.ts'
import { intentsOf } from '../text/intents.ts'
import type { Language } from '../text/language.ts'
import { type Candidate, type Member, type Ranked, rankTitles } from './choice.ts'
import { titleVariants, type WordShares } from './details.ts'
import { sharedPhrase } from './phrases.ts'
import { type AnalysedSentence, laterTitlesIn, nameKey, shortenedTitle, type Title, titleFrom } from './sentences.ts'
import { spellingOf } from './spelling.ts'
import { type Speaker, type Support, supportIn, type Told } from './support.ts'
import { asPhrase } from './wording.ts'

/** Titles are generated from this many of the most central sentences. */
const MAX_SENTENCES = 90
/** Later clauses of this many, which cost more. */
const MAX_WITH_CLAUSES = 30
/** A message usually says what it is about in its first sentence. */
const LATER_SENTENCE_FACTOR = 0.85
const LATER_CLAUSE_FACTOR = 0.9
/** Shortened sentences may have lost their subject. */
const CUT_FACTOR = 0.96
const THINNED_FACTOR = 0.99
const ENDING_LENGTH = 4
/** With this many candidates, titles below the minimum quality are skipped. */
const ENOUGH_CANDIDATES = 12
const MIN_QUALITY = 0.5
/** At least this share of the group's messages must say what a name says. */
const MIN_SUPPORT = 0.5
/** Its words must be used by this share, on average; those of a guess by the other. */
const MIN_WORD_SUPPORT = 0.4
const MIN_GUESS_SUPPORT = 0.3
/** A guess has at most this many words that only one member uses. */
const MAX_ALONE = 1
/** A title with less than this share of the best score is no better than a phrase. */
const MIN_RELATIVE_SCORE = 0.6
/** A name stays while it has this share of the best score. */
const MIN_KEPT_SCORE = 0.7

/** A sentence of a group: its node, the number of messages the node stands for, and how central the sentence is. */
export type Sentence = AnalysedSentence & { node: Node; weight: number; centrality: number }

/** `confident`: at least half of the group's messages say what the name says. */
export type Name = { name: string; confident: boolean }

type TitleCandidate = Candidate & { title: Title; node: Pick<Node, 'language' | 'vector'> }

/**
 * The best title for a group among those its own sentences yield (`rankTitles`) that most of its messages support. If there is
 * none, the phrase that most share, as a guess. `rarity` of a stem is that of the workspace; `taken` holds keys of names in
 * use (`nameKey`). Words that most spell otherwise are corrected (`spellingOf`). `earlier`: the name so far, which stays while it is not much worse. Null if no sentence is suitable.
 */
export function chooseName(
  sentences: Sentence[],
  shares: WordShares,
  rarity: (stemmed: string) => number,
  language: Language,
  taken: Set<string>,
  earlier?: string,
): Name | null {
  const members = new Map<Node, Member>()
  for (const { node, intents, weight } of sentences) {
    const known = members.get(node)
    if (known) known.sentences.push(intents)
    else members.set(node, { sentences: [intents], weight })
  }
  const nearness = nearnessOf([...members.keys()])
  const spelled = spellingOf(sentences)
  const isPraised = isMostlyPraise([...members])
  const candidates: TitleCandidate[] = []
  const seen = new Set<string>()
  for (const [place, said] of sentences.slice(0, MAX_SENTENCES).entries()) {
    const { title, text: sentence, node, first } = said
    const later = place < MAX_WITH_CLAUSES ? laterTitlesIn(said, node.language) : []
    const trust = (first ? 1 : LATER_SENTENCE_FACTOR) * (node.language === language ? 1 : 0.4) * nearness(node)
    for (const whole of title ? [title, ...later] : later) {
      const share = whole === title ? trust : trust * LATER_CLAUSE_FACTOR
      const ending = whole.text.slice(-ENDING_LENGTH)
      for (const own of titleVariants(whole, sentence, node.language, shares)) {
        const variant = shortenedTitle(whole, spelled(own.text, node.language), sentence, node.language)
        const { text, intents, key, tone } = variant
        if (seen.has(text) || taken.has(key) || taken.has(text) || (tone === 'praise' && !isPraised)) continue
        seen.add(text)
        const cut = own === whole ? 1 : text.endsWith(ending) ? THINNED_FACTOR : CUT_FACTOR
        const quality = cut * variant.quality * share
        if (quality < MIN_QUALITY && candidates.length >= ENOUGH_CANDIDATES) continue
        candidates.push({ text, intents, quality, of: members.get(node), title: variant, node })
      }
    }
  }
  const isUsable = earlier !== undefined && !taken.has(earlier) && spelled(earlier, language) === earlier
  const known = isUsable ? titleFrom(earlier, earlier, language) : null
  if (known && !taken.has(known.key) && (known.tone !== 'praise' || isPraised)) {
    const { text, intents, quality } = known
    candidates.push({ text, intents, quality, of: undefined, title: known, node: { language } })
  }
  const ranked = rankTitles(candidates, [...members.values()], rarity)
  const best = ranked[0]
  if (!best) return null
  const support = supportOf(sentences, rarity)
  const worded = (title: string) => {
    const phrase = asPhrase(title)
    return taken.has(phrase) || taken.has(nameKey(phrase)) ? title : phrase
  }
  const isTold = ({ members, words }: Told) => members >= MIN_SUPPORT && words >= MIN_WORD_SUPPORT
  const kept = ranked.find(({ candidate }) => candidate.title === known)
  if (known && kept && kept.score >= MIN_KEPT_SCORE * best.score && isTold(support.ofTitle(known, { language })))
    return { name: known.text, confident: true }
  const likely: Likely[] = []
  for (const { candidate, score } of ranked) {
    if (score < MIN_RELATIVE_SCORE * best.score) break
    const told = support.ofTitle(candidate.title, candidate.node)
    if (isTold(told)) return { name: worded(candidate.text), confident: true }
    likely.push({ candidate, score, told })
  }
  const phrase = sharedPhrase(
    sentences.slice(0, MAX_SENTENCES).map(({ text, node, weight }) => ({
      text: spelled(text, node.language),
      language: node.language,
      weight,
    })),
    shares,
    rarity,
    (text) => taken.has(text) || taken.has(nameKey(text)) || (!isPraised && toneOf(text, language) === 'praise'),
  )
  if (!phrase) return { name: worded(bestGuess(likely).text), confident: false }
  const subject = intentsOf(phrase)
  const about = likely.find(
    ({ candidate, told }) =>
      told.words >= MIN_GUESS_SUPPORT &&
      told.alone <= MAX_ALONE &&
      [...subject].some((stemmed) => candidate.intents.has(stemmed)),
  )
  return { name: about ? worded(about.candidate.text) : phrase, confident: false }
}

/** Whether at least half of the messages praise: otherwise a name does not, even where a sentence does at first (`great app, but …`). */
function isMostlyPraise(members: readonly (readonly [Node, Member])[]): boolean {
  let praise = 0
  let all = 0
  for (const [node, { weight }] of members) {
    all += weight
    if (nodeTone(node) === 'praise') praise += weight
  }
  return praise * 2 >= all
}

type Likely = Ranked<TitleCandidate> & { told: Told }

/** The title with the best score, counting how many say it; the first is there. */
function bestGuess(likely: readonly Likely[]): TitleCandidate {
  const worth = ({ score, told }: Likely) => score * (0.5 + told.members)
  return likely.reduce((best, one) => (worth(one) > worth(best) ? one : best)).candidate
}

/**
 * How central the statement of each node is, by the encoder's vectors: the root of its mean cosine to all, relative to the most
 * central. 1 where most have no vector.
 */
function nearnessOf(nodes: readonly Node[]): (node: Node) => number {
  const known = nodes.flatMap(({ vector }) => (vector ? [vector] : []))
  const [first] = known
  if (!first || known.length < 3 || known.length < nodes.length / 2) return () => 1
  const sum = new Float64Array(first.length)
  for (const vector of known) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number)
  const means = new Map<Node, number>()
  for (const node of nodes) {
    if (!node.vector) continue
    let mean = 0
    for (let i = 0; i < sum.length; i++) mean += (sum[i] as number) * (node.vector[i] as number)
    means.set(node, Math.max(0, mean))
  }
  const most = [...means.values()].reduce((max, mean) => Math.max(max, mean), 0)
  return (node) => (most > 0 ? Math.sqrt((means.get(node) ?? most) / most) : 1)
}

/** Which of the members say what a title says. */
function supportOf(sentences: readonly Sentence[], rarity: (stemmed: string) => number): Support {
  const speakers = new Map<Node, Speaker>()
  for (const { node, stems, weight } of sentences) {
    const known = speakers.get(node)
    if (!known) speakers.set(node, { node, stems: new Set(stems), weight })
    else for (const stemmed of stems) known.stems.add(stemmed)
  }
  return supportIn([...speakers.values()], rarity)
}

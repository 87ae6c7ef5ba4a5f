import { aimsOf } from './aims.ts'
import { type Candidate, chooseTitle, type Member } from './choice.ts'
import type { Language } from './language.ts'
import { type Read, stemsOf, type Title } from './sentences.ts'
import type { Node } from './state.ts'

/** Below this share of the group's statements a word is a detail of few, which a name should not promise. */
export const RARE = 0.12
/** A name is looked for among so many of the most central sentences. */
const CENTRAL = 90
/** What a message is about is mostly said in its first sentence. */
const LATER = 0.85
/** What is left of a sentence may miss what it was about. */
const CUT = 0.95
const POINTING = /\b(?:it|this|that|them|these|those|one|there)$/i
const LAST_PHRASE =
  /\s(?:for|at|in|on|to|from|with|by|of|near|until|between|during|since)\s(?:(?!\s(?:for|at|in|on|to|from|with|by|of|near|until|between|during|since)\s).)*$/i
/** Words that leave a sentence hanging when it ends with them. */
const OPEN_END =
  /\b(?:is|are|was|were|be|been|do|does|did|a|an|the|my|your|our|and|or|but|not|need|want|have|has|had|get|got|give|like|how|what|which|why|when|where|who|can|could|will|would|should|i|you|we|status|kind|type|sort|lot|much|many|number|go|going|able|way|look|search|ask|talk|listen|change|transfer|belong|refer|take|takes|use|used|using)$/i
/** A day or an hour is one member's own, however many name one. */
const MOMENT =
  /^(?:[ap]m|\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)da[iy]|januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|noon|tonight)$/
const PROBLEM =
  /\b(?:not|n't|cannot|can't|cant|won't|wont|doesn't|doesnt|don't|dont|isn't|never|no longer|fail\w*|error\w*|broken|missing|wrong|slow|crash\w*|unable|stop\w*|lost|lose\w*|stuck|freez\w*|duplicat\w*|declined|denied|rejected|pending|why|how|need|want|add|support|allow|change|cancel|fehl\w*|kaputt|nicht|kein\w*|falsch|langsam|geht)\b/i
const VAGUE =
  /^(?:about|if|whether|because|since|while|although|when (?:i|we|you)|for|on|with|to|than|as|of|in|at|from|by|or|my recent|it|its|it's|this|that|these|those|they|he|she|which|there|here|same|also|then|because|one|another|es|das|dies|dann)\b/i
const ASKS = /\b(?:what|which|where|how|who)\b/i
/** A question word where none is expected (`the time is what`, `lasagna takes how long`). */
const INVERTED =
  /\b(?:is|are|takes?|pay \w+) (?:what|where|when|how)\b|\S how (?:much|many|long|far|old|often)\b|\S (?:what|where|when|which)$/i
/** A question told in the order of a statement: `what I have on my list`. */
const INDIRECT =
  /^(?:what|where|when|why|how(?: (?:much|many|long))?)(?: (?!is|are|was|were|do|does|did|can|could|will|would|should|has|have|to|am)\w+){0,2}? (?:my|i|i'm|the|we)\b/i

/** A sentence of a group: the text it is of, how many messages that stands for, and how central the sentence is. */
export type Sentence = Read & { node: Node; weight: number; centrality: number }

/** In what share of the group's statements each word of a subject occurs. */
export type Shares = Map<string, number>

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
  const candidates: Candidate[] = []
  const seen = new Set<string>()
  for (const sentence of sentences.slice(0, CENTRAL)) {
    if (sentence.title === null) continue
    const title = withoutDetail(sentence.title, sentence.node.language, shares)
    if (seen.has(title.text) || taken.has(keyOf(title.text))) continue
    seen.add(title.text)
    const cut = title === sentence.title ? 1 : CUT
    const quality =
      cut *
      qualityOf(title, sentence.text) *
      (sentence.first ? 1 : LATER) *
      (sentence.node.language === language ? 1 : 0.4)
    candidates.push({ ...title, quality })
  }
  const members = new Map<Node, Member>()
  for (const { node, aims, weight } of sentences) {
    const said = members.get(node)
    if (said) said.sentences.push(aims)
    else members.set(node, { sentences: [aims], weight })
  }
  return chooseTitle(candidates, [...members.values()], rarity, (title) => taken.has(keyOf(title)))
}

/** Names that differ in case, endings or small words alone count as the same. */
export function keyOf(name: string): string {
  const stems = [...stemsOf(name)].sort()
  return stems.length > 0 ? stems.join(' ') : name.toLowerCase()
}

/** How well a title reads by itself, 0 to about 1. */
function qualityOf({ text: title, aims }: Title, sentence: string): number {
  const words = title.split(' ').length
  let quality = words < 3 ? 0.4 : words === 3 ? 0.9 : words <= 8 ? 1 : words <= 10 ? 0.9 : 0.75
  if (PROBLEM.test(title)) quality *= 1.05
  if (sentence.split(/\s+/).length > words + 5) quality *= 0.9
  if (VAGUE.test(title)) quality *= 0.6
  if (POINTING.test(title)) quality *= 0.5
  if (aims.size < 2) quality *= 0.8
  if (INVERTED.test(title)) quality *= 0.6
  if (INDIRECT.test(title)) quality *= 0.93
  if (/\d/.test(title)) quality *= 0.7
  if (/[,:;/→>]/.test(title)) quality *= 0.75
  return properNames(title) ? quality * 0.7 : quality
}

/**
 * The title without a last phrase that speaks of one case (`… for Cuba`, `… at Olive Garden for two at 7`): words of few in
 * the group, or an hour, after a preposition. What is left must still say something.
 */
function withoutDetail(title: Title, language: Language, shares: Shares): Title {
  let kept = title.text
  for (;;) {
    const start = kept.search(LAST_PHRASE)
    if (start < 0) break
    const rest = kept.slice(0, start).trimEnd()
    const words = rest.split(' ').length
    if (words < 3 || OPEN_END.test(rest)) break
    const phrase = kept.slice(start).trimStart().replace(/^\S+/, '')
    if (ASKS.test(phrase) || isCommon(phrase, language, shares) || !isCommon(rest, language, shares)) break
    if (words === 3 && stemsOf(rest, language).size < 2) break
    kept = rest
  }
  return kept === title.text ? title : { text: kept, aims: aimsOf(kept, language) }
}

function isCommon(phrase: string, language: Language, shares: Shares): boolean {
  for (const stemmed of stemsOf(phrase, language)) {
    if ((shares.get(stemmed) ?? 0) >= RARE && !MOMENT.test(stemmed)) return true
  }
  return false
}

/** Whether a capital inside a title hints at a person's or a company's name. */
function properNames(title: string): boolean {
  return /\s\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+|\bi'm\b/u.test(title)
}

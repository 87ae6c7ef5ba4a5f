import { aimsOf, isCue } from './aims.ts'
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
const CUT = 0.96
const ENDING = 4
/** What names a thing and not what is wrong with it or wanted of it. */
const LABEL = 0.93
/** What fewer say than this is said of some; what more say than `MOST`, of the group. */
const SOME = 0.35
const MOST = 0.5
const KINDS = 3
const ARTICLE = /^(?:my|our|your|the|an?|this|any)$/i
const POINTING = /\b(?:it|this|that|them|these|those|one|there)$/i
const LAST_PHRASE =
  /\s(?:for|at|in|on|to|from|with|by|of|near|until|between|during|since|under|via)\s(?:(?!\s(?:for|at|in|on|to|from|with|by|of|near|until|between|during|since|under|via)\s).)*$/i
/** Words that leave a sentence hanging when it ends with them. */
const OPEN_END =
  /\b(?:me|us|him|her|them|is|are|was|were|be|been|do|does|did|a|an|the|my|your|our|and|or|but|not|need|want|have|has|had|get|got|give|like|how|what|which|why|when|where|who|can|could|will|would|should|i|you|we|status|kind|type|sort|lot|much|many|number|go|going|able|way|look|search|ask|talk|listen|change|transfer|belong|refer|take|takes|use|used|using)$/i
/** A day or an hour is one member's own, however many name one. */
const MOMENT =
  /^(?:[ap]m|\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)da[iy]|januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|noon|tonight)$/
const PROBLEM =
  /\b(?:not|n't|cannot|can't|cant|won't|wont|doesn't|doesnt|don't|dont|isn't|never|no longer|fail\w*|error\w*|broken|missing|wrong|slow|crash\w*|unable|stop\w*|lost|lose\w*|stuck|freez\w*|duplicat\w*|declined|denied|rejected|pending|why|how|need|want|add|support|allow|change|cancel|fehl\w*|kaputt|nicht|kein\w*|falsch|langsam|geht)\b/i
/** What happens or is to be done: a title without any such word is a label at best. English only. */
const DOING =
  /\b(?:am|is|are|was|were|be|been|(?:what|where|when|how|it|that|there|who)'?s|do|does|did|have|has|had|can|cannot|could|will|would|should|may|must|need|needs|want|wants|wish|get|gets|got|give|gives|make|makes|made|let|lets|allow|allows|go|goes|went|come|comes|came|keep|keeps|kept|show|shows|see|take|takes|took|put|set|say|says|said|tell|know|find|found|use|uses|work|works|run|runs|ran|look|looks|seem|seems|ask|asks|fail|fails|crash|crashes|freeze|freezes|hang|hangs|stop|stops|lose|loses|lost|break|breaks|broke|forget|forgets|ignore|ignores|vanish|vanishes|disappears?|appears?|jump|jumps|lands?|pauses?|dies|died|begins?|began|starts?|ends?|sends?|sent|arrives?|survives?|counts?|shows|skips?|drops?|returns?|refuses?|accepts?|costs?|pays?|paid|bought|sold|told|left|\p{L}{3,}(?:ed|ing))\b|n't\b|\bnever\b|^(?:add|allow|ask|book|buy|call|cancel|change|check|choose|clear|close|confirm|connect|convert|create|cut|delete|disable|disconnect|do|download|edit|enable|export|fix|flip|help|hide|import|increase|let|list|load|log|lower|make|move|open|order|pay|pick|place|play|print|pull|push|put|raise|reduce|remind|remove|rename|repeat|replace|report|reset|reserve|restore|revert|roll|save|schedule|search|select|send|set|share|show|sign|sort|speak|split|start|stop|support|swap|switch|sync|take|talk|tell|text|track|transfer|translate|turn|undo|unlink|update|upload|use|verify|wake)\b/iu
/** A heading that says that something is said, not what. */
const GENERIC =
  /^(?:\S+ (?=\S+ (?:from|by|about|on)\b))?(?:(?:a|an|my|our|another|some|still|quick|general|small|big|one|two|three|first|second) )*(?:complaints?|feedback|questions?|problems?|issues?|requests?|enquiry|inquiry|suggestions?|ideas?|points?|help|urgent|reminder|follow-?up|update|anfrage|fragen?|probleme?|beschwerde|anliegen|hinweis)\b/i
const FAULTY = /\b(\p{L}+) \1\b|\b(?:what|where|who|how|it|that)'s is\b|\ban [bcdfgjklpqtvwyz]\p{Ll}{2}|\ba [aeio]\p{Ll}{2}(?<!\ba one?)/iu
/** What someone did on the way tells little of what is wrong. */
const DID = /^(?:i|we)(?:'ve| have| had)? (?:just |already |also |then )?\p{L}{2,}ed\b/iu
const VAGUE =
  /^(?:about|if|whether|because|since|while|although|when (?:i|we|you)|for|on|with|to|than|as|of|in|at|from|by|or|my recent|it|its|it's|this|that|these|those|they|he|she|which|there|here|same|also|then|because|one|another|es|das|dies|dann)\b/i
const ASKS = /\b(?:what|which|where|how|who)\b/i
/** A question word where none is expected (`the time is what`, `lasagna takes how long`). */
const INVERTED =
  /\b(?:is|are|takes?|pay \w+) (?:what|where|when|how)\b|\S how (?:much|many|long|far|old|often)\b|\S (?:what|where|when|which)$/i
const QUESTION = /^(?:what|whats|which|where|when|why|how|who|is|are|do|does|can|could|will)\b/i
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
    for (const title of variantsOf(sentence.title, sentence.node.language, shares)) {
      if (seen.has(title.text) || taken.has(keyOf(title.text))) continue
      seen.add(title.text)
      const cut = title.text.endsWith(ending) ? 1 : CUT
      const quality = cut * qualityOf(title, sentence.text, sentence.node.language) * said
      candidates.push({ ...title, quality, of: members.get(sentence.node) })
    }
  }
  return chooseTitle(candidates, [...members.values()], rarity, (title) => taken.has(keyOf(title)))
}

/** Names that differ in case, endings or small words alone count as the same. */
export function keyOf(name: string): string {
  const stems = [...stemsOf(name)].sort()
  return stems.length > 0 ? stems.join(' ') : name.toLowerCase()
}

/** How well a title reads by itself, 0 to about 1. */
function qualityOf({ text: title, aims }: Title, sentence: string, language: Language): number {
  const words = title.split(' ').length
  let quality = words < 3 ? 0.4 : words === 3 ? 0.9 : title.length <= 48 ? 1 : title.length <= 60 ? 0.9 : 0.75
  const troubled = aims.has('!not')
  if (troubled) quality *= 1.1
  else if (PROBLEM.test(title)) quality *= 1.05
  else if (language === 'en' && !DOING.test(title)) quality *= LABEL
  if (!troubled && DID.test(title)) quality *= LABEL
  if (GENERIC.test(title)) quality *= 0.7
  if (sentence.split(/\s+/).length > words + 5) quality *= 0.9
  if (VAGUE.test(title)) quality *= 0.6
  if (POINTING.test(title)) quality *= 0.5
  if (aims.size < 2) quality *= 0.8
  if (INVERTED.test(title)) quality *= 0.6
  if (INDIRECT.test(title)) quality *= 0.93
  if (FAULTY.test(title)) quality *= 0.8
  if (/\d/.test(title)) quality *= 0.7
  if (/[,:;/→>]/.test(title)) quality *= 0.75
  return properNames(title) ? quality * 0.7 : quality
}

/** The title, and what is left of it without what narrows it to some of the group. */
function variantsOf(title: Title, language: Language, shares: Shares): Title[] {
  const whole = withoutDetail(title.text, language, shares, RARE)
  const wider = withoutDetail(whole, language, shares, SOME)
  const texts = new Set([whole, withoutKinds(whole, language, shares), wider, withoutKinds(wider, language, shares)])
  return [...texts].map((text) => (text === title.text ? title : { text, aims: aimsOf(text, language) }))
}

/**
 * A title without a last phrase that speaks of one case (`… for Cuba`, `… at Olive Garden for two at 7`): words that fewer
 * than `rare` of the group say, or an hour, after a preposition. What is left must still say something.
 */
function withoutDetail(title: string, language: Language, shares: Shares, rare: number): string {
  let kept = title
  for (;;) {
    const start = kept.search(LAST_PHRASE)
    if (start < 0) break
    const rest = kept.slice(0, start).trimEnd()
    const words = rest.split(' ').length
    if (words < 3 || OPEN_END.test(rest)) break
    const phrase = kept.slice(start).trimStart().replace(/^\S+/, '')
    if (ASKS.test(phrase) || isCommon(phrase, language, shares, rare) || !isCommon(rest, language, shares, rare)) break
    if (stemsOf(rest, language).size < (words > 3 && QUESTION.test(rest) ? 1 : 2)) break
    kept = rest
  }
  return kept
}

/** `my savings account` as `my account`: words that only some say, between an article and a word that most say, are a kind of it. */
function withoutKinds(title: string, language: Language, shares: Shares): string {
  if (language !== 'en') return title
  const words = title.split(' ')
  const share = (word: string) => Math.max(0, ...[...stemsOf(word, language)].map((one) => shares.get(one) ?? 0))
  for (let at = 0; at < words.length; at++) {
    if (!ARTICLE.test(words[at] as string)) continue
    for (let noun = at + 2; noun <= at + 1 + KINDS && noun < words.length; noun++) {
      const word = words[noun - 1] as string
      if (!isThing(word) || share(word) >= SOME) break
      if (share(words[noun] as string) < MOST || !isThing(words[noun] as string)) continue
      words.splice(at + 1, noun - at - 1)
      break
    }
  }
  return words.join(' ')
}

/** Not so a word of a problem (`my lost card`), or one that says nothing by itself. */
function isThing(word: string): boolean {
  const aims = [...aimsOf(word, 'en')]
  return aims.length > 0 && !aims.some(isCue) && !/(?:ed|ing|en|ly|ful|[ae]nt|us|ive|less|ble)$/i.test(word)
}

function isCommon(phrase: string, language: Language, shares: Shares, rare: number): boolean {
  for (const stemmed of stemsOf(phrase, language)) {
    if ((shares.get(stemmed) ?? 0) >= rare && !MOMENT.test(stemmed)) return true
  }
  return false
}

/** Whether a capital inside a title hints at a person's or a company's name. */
function properNames(title: string): boolean {
  return /\s\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+|\bi'm\b/u.test(title)
}

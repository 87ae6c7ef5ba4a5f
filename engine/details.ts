import { aimsOf, isCue } from './aims.ts'
import type { Language } from './language.ts'
import { stemsOf, type Title } from './sentences.ts'
import { LAST_PHRASE } from './titles.ts'

/** Below this share of the group's statements a word is a detail of few, which a name should not promise. */
export const RARE = 0.12
/** What fewer say than this is said of some; what more say than `MOST`, of the group. */
const SOME = 0.35
const MOST = 0.5
const KINDS = 3
const ARTICLE = /^(?:my|our|your|the|an?|this|any)$/i
/** Words that leave a sentence hanging when it ends with them. */
const OPEN_END =
  /\b(?:me|us|him|her|them|off|up|down|out|is|are|was|were|be|been|do|does|did|a|an|the|my|your|our|and|or|but|not|need|want|have|has|had|get|got|give|like|how|what|which|why|when|where|who|can|could|will|would|should|i|you|we|status|kind|type|sort|lot|much|many|number|go|going|able|way|look|search|ask|talk|listen|change|transfer|belong|refer|take|takes|use|used|using)$/i
/** A day or an hour is one member's own, however many name one. */
const MOMENT =
  /^(?:[ap]m|\d+\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)da[iy]|januari|februari|march|april|june|juli|august|septemb|octob|novemb|decemb|noon|tonight)$/
const QUESTION = /^(?:what|whats|which|where|when|why|how|who|is|are|do|does|can|could|will)\b/i
const ASKS = /\b(?:what|which|where|how|who)\b/i

/** In what share of the group's statements each word of a subject occurs. */
export type Shares = Map<string, number>

/** The title, and what is left of it without what narrows it to some of the group. */
export function variantsOf(title: Title, language: Language, shares: Shares): Title[] {
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
  if (rare > RARE && /\d/.test(phrase)) return false
  for (const stemmed of stemsOf(phrase, language)) {
    if ((shares.get(stemmed) ?? 0) >= rare && !MOMENT.test(stemmed)) return true
  }
  return false
}

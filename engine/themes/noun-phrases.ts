import { LEXICONS, type Lexicon, signsOfAll, tableOfAll } from '../lexicons/lexicons.ts'
import { type Language, stem } from '../text/language.ts'
import { isStopword } from '../text/stopwords.ts'

/** A word, or two next to each other. `key`: their stems. `text`: as written, with its capitals. `isFirst`: it begins a sentence. */
type Phrase = { key: string; text: string; isFirst: boolean }

/** How often a stem stands where nouns do. `heads`: right after a word that
 * nouns follow; `inside`: the same, before another word; `ends`: after the latter; `elsewhere`: after other stop words. */
export type NounUse = { heads: number; inside: number; ends: number; elsewhere: number }

/** What one text says: its phrases, and how each stem is used. */
export type PhraseReading = { phrases: Phrase[]; uses: Map<string, NounUse> }

const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)*|\p{N}+/gu
/** What may be between two words of a phrase. */
const JOINT = /^[ \t-]$/
const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+/g
const MAX_TEXT_LENGTH = 1_000
const MIN_LETTERS = 2

const LEADS = new Map<string, ReadonlySet<string>>(
  Object.entries<Lexicon>(LEXICONS).map(([language, { NOUN_LEADS }]) => [language, new Set(NOUN_LEADS)]),
)

const SIGN_IN_VERB = new RegExp(`^${signsOfAll('TAG_SIGNS')('signInVerb')}$`)
const SIGN_IN_PARTICLES = tableOfAll((lexicon) => lexicon.SIGN_IN_PARTICLES)
const SIGN_IN_SPELLINGS = tableOfAll((lexicon) => lexicon.SIGN_IN_SPELLINGS)

type Word = {
  /** the one noun for `log in` and `signing in` */
  noun?: string
  start: number
  end: number
  stemmed: string
  isLead: boolean
  isContent: boolean
  isJoined: boolean
}

/** Reads a text for nouns. */
export function readPhrases(text: string, language: Language): PhraseReading {
  const plain = text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replace(ADDRESS, ' . ')
  const words = wordsOf(plain, language)
  const uses = new Map<string, NounUse>()
  const phrases: Phrase[] = []
  words.forEach((word, at) => {
    if (!word.isContent) return
    const use = uses.get(word.stemmed) ?? { heads: 0, inside: 0, ends: 0, elsewhere: 0 }
    uses.set(word.stemmed, use)
    const next = words[at + 1]
    const continues = next?.isJoined === true && next.isContent
    if (word.noun !== undefined) use.heads++
    else if (word.isJoined && words[at - 1]?.isLead) use[continues ? 'inside' : 'heads']++
    else if (word.isJoined && !words[at - 1]?.isContent) use.elsewhere++
    else if (word.isJoined && words[at - 1]?.isJoined && words[at - 2]?.isLead && !continues) use.ends++
    const isFirst = isSentenceStart(plain, word.start)
    phrases.push({ key: word.stemmed, text: word.noun ?? plain.slice(word.start, word.end), isFirst })
    if (continues && next.stemmed !== word.stemmed && next.noun === undefined && word.noun === undefined) {
      phrases.push({ key: `${word.stemmed} ${next.stemmed}`, text: plain.slice(word.start, next.end), isFirst })
    }
  })
  return { phrases, uses }
}

function wordsOf(text: string, language: Language): Word[] {
  const leads = LEADS.get(language) ?? LEADS.get('en')
  const words: Word[] = []
  let before = 0
  let verb = ''
  for (const found of text.matchAll(WORD)) {
    const start = found.index
    const end = start + found[0].length
    const token = found[0].toLowerCase().replace(/['’]/g, '')
    const isJoined = start > 0 && JOINT.test(text.slice(before, start))
    const noun = isJoined && SIGN_IN_VERB.test(verb) ? SIGN_IN_PARTICLES.get(token) : undefined
    const whole = noun ?? SIGN_IN_SPELLINGS.get(token) ?? token
    const verbWord = noun === undefined ? undefined : words.pop()
    const isLead = noun === undefined && (leads?.has(token) ?? false)
    const isPlain = !isLead && !isStopword(token, language) && /^\p{L}/u.test(token) && token.length >= MIN_LETTERS
    words.push({
      ...(noun === undefined ? {} : { noun }),
      start: verbWord?.start ?? start,
      end,
      stemmed: stem(whole, language),
      isLead,
      isContent: noun !== undefined || isPlain,
      isJoined: verbWord?.isJoined ?? isJoined,
    })
    before = end
    verb = token
  }
  return words
}

function isSentenceStart(text: string, at: number): boolean {
  return /(?:^|[.!?:;\n>*•–—-])[\s"'“„(]*$/u.test(text.slice(Math.max(0, at - 8), at))
}

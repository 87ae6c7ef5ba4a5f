import { contentWords, sameWord } from '../../content-words.ts'
import { speaksToModels } from '../../injection.ts'
import { parseReply } from '../../parse-reply.ts'
import { countPeople, type Evidence } from './evidence.ts'
import { Reply } from './schema.ts'

/** Why an answer is refused. The texts are sent back to the model, so they repeat neither customers nor the model. */
export const refusals = {
  form: 'It was not one JSON object with name, summary and quotes.',
  empty: 'The name or the summary was empty.',
  length: 'The name or the summary was too long: 80 and 500 characters at most.',
  characters: 'The name or the summary held line breaks, markup or characters that cannot be seen.',
  link: 'The name or the summary held a link, an address or a number to call that is not in the messages.',
  quotes: 'The quotes were not at least two pieces copied letter by letter from different messages.',
  order: 'The name or the summary spoke to the reader instead of saying what customers say.',
  name: 'At least half of the words of the name must be words of the messages, and a quarter words that several use.',
  voice: 'Too many words of the name are used by one message alone, or one of them is in capitals there.',
  summary: 'A sentence of the summary had too few words of the messages, or a word in capitals that one message has.',
  taken: 'Another title in the list is the same. Say what sets this one apart.',
} as const
export type Refusal = keyof typeof refusals

export type Verdict = { ok: true; name: string; summary: string } | { ok: false; refusal: Refusal }

const MAX_NAME_LENGTH = 80
const MAX_SUMMARY_LENGTH = 500
const MIN_QUOTE_LENGTH = 6
const MIN_QUOTES = 2
/** A word is shared when two people use it, or this share of them if that is more. */
const SHARED_BY = 0.1
/** The least share of known words (those of the messages) and of shared words in a name or a sentence. */
const MIN_KNOWN = 0.5
const MIN_KNOWN_IN_SENTENCE = 1 / 3
const MIN_SHARED = 0.25
/** The largest share of words in a name that one person alone uses. */
const MAX_LONE = 0.5

const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|\b(?:mailto|javascript|data):\S+|[^\s@]+@[^\s@]+\.[^\s@]+|@\w{3,}|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?|\+?\d[\d\s()./-]{7,}\d/giu
const MARKUP = /<\s*[!/?a-z]|&(?:#\d+|#x[0-9a-f]+|[a-z]+);|\]\s*\(|`|\*\*|__|\$\{|\{\{|^\s*#{1,6}\s/i
const INVISIBLE = /\p{C}|[\p{Zl}\p{Zp}\ufffd]/u

/**
 * Whether an answer may be shown. The quotes must occur verbatim in the given messages; half of the name's words must come
 * from the messages (or the built-in name) and a quarter must be shared by several people, as in every sentence of the
 * summary. So one message alone cannot dictate a name or a sentence. A word that only one person uses may occur beside
 * shared ones, unless it is in capitals or from a withheld message. `taken`: the names of the other insights, by `nameKey`.
 */
export function checkReply(text: string, evidence: Evidence, taken: ReadonlySet<string>): Verdict {
  const reply = parseReply(text, Reply)
  if (!reply) return refused('form')
  const name = reply.name.trim()
  const summary = reply.summary.trim().replace(/\s*\n\s*/g, ' ')
  if (contentWords(name).length === 0 || contentWords(summary).length === 0) return refused('empty')
  if (name.length > MAX_NAME_LENGTH || summary.length > MAX_SUMMARY_LENGTH) return refused('length')
  const both = [name, summary]
  if (both.some((part) => INVISIBLE.test(part) || MARKUP.test(part))) return refused('characters')
  const given = evidence.mentions.map((one) => one.text.toLowerCase()).join('\n')
  if (both.some((part) => [...part.matchAll(LINK)].some(([link]) => !given.includes(trimmed(link)))))
    return refused('link')
  if (!quotesHold(reply.quotes, evidence)) return refused('quotes')
  if (both.some(speaksToModels)) return refused('order')
  const sources = new WordSources(evidence)
  const shares = sources.sharesOf(name)
  if (shares.known < MIN_KNOWN || shares.shared < MIN_SHARED) return refused('name')
  if (shares.suspect || shares.lone > MAX_LONE) return refused('voice')
  if (!sentencesHold(summary, sources)) return refused('summary')
  if (taken.has(nameKey(name))) return refused('taken')
  return { ok: true, name, summary }
}

/** The same key for names that read the same. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The keys of the other insights' names. */
export function othersNames(names: ReadonlyMap<number, string>, issueNumber: number): Set<string> {
  return new Set([...names].filter(([number]) => number !== issueNumber).map(([, name]) => nameKey(name)))
}

function refused(refusal: Refusal): Verdict {
  return { ok: false, refusal }
}

function trimmed(link: string): string {
  return link.toLowerCase().replace(/[\s.,;:!?)\]]+$/, '')
}

/** Every quote occurs in a message, and at least two messages are quoted. */
function quotesHold(quotes: readonly string[], evidence: Evidence): boolean {
  const holders = new Set<number>()
  for (const quote of quotes.map((one) => one.trim())) {
    const found = evidence.quotes.flatMap(({ text }, at) => (text.includes(quote) ? [at] : []))
    if (quote.length < MIN_QUOTE_LENGTH || found.length === 0) return false
    for (const at of found) holders.add(at)
  }
  return quotes.length >= MIN_QUOTES && holders.size >= MIN_QUOTES
}

function sentencesHold(summary: string, sources: WordSources): boolean {
  return summary.split(/(?<=[.!?。！？;])\s*/u).every((sentence) => {
    if (contentWords(sentence).length === 0) return true
    const { known, shared, suspect } = sources.sharesOf(sentence)
    return known >= MIN_KNOWN_IN_SENTENCE && shared >= MIN_SHARED && !suspect
  })
}

/** Where the words of a text come from, as shares of its words. `suspect`: one of them must not be repeated. */
type Shares = { known: number; shared: number; lone: number; suspect: boolean }

/** Which words of the evidence are used by how many people. */
class WordSources {
  readonly #minPeople: number
  readonly #mentions: { person: string; words: string[] }[]
  readonly #title: string[]
  readonly #withheld: string[]
  /** Words written in capitals somewhere. */
  readonly #capitalised: Set<string>

  constructor({ mentions, withheld, title }: Evidence) {
    this.#minPeople = Math.max(2, Math.ceil(countPeople(mentions) * SHARED_BY))
    this.#mentions = mentions.map(({ text, person }) => ({ person, words: contentWords(text) }))
    this.#title = contentWords(title)
    this.#withheld = withheld.flatMap(contentWords)
    const capitalised = mentions.flatMap(({ text }) => text.normalize('NFKC').match(/\p{Lu}{4,}/gu) ?? [])
    this.#capitalised = new Set(capitalised.map((word) => word.toLowerCase()))
  }

  sharesOf(text: string): Shares {
    const words = contentWords(text)
    const counted = words.map((word) => ({ word, people: this.#people(word) }))
    const share = (fits: (one: { word: string; people: number }) => boolean) =>
      counted.filter(fits).length / words.length
    return {
      known: share(({ word, people }) => people > 0 || has(this.#title, word)),
      shared: share(({ people }) => people >= this.#minPeople),
      lone: share(({ people }) => people === 1),
      suspect: counted.some(
        ({ word, people }) => people < 2 && (this.#capitalised.has(word) || has(this.#withheld, word)),
      ),
    }
  }

  #people(word: string): number {
    return new Set(this.#mentions.flatMap(({ person, words }) => (has(words, word) ? [person] : []))).size
  }
}

function has(words: readonly string[], word: string): boolean {
  return words.some((other) => sameWord(word, other))
}

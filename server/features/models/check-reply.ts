import { z } from 'zod'
import { countPeople, type Evidence } from './evidence.ts'
import { speaksToModels } from './injection.ts'
import { parseReply } from './parse-reply.ts'
import { contentWords, sameWord } from './words.ts'

/** The form of an answer. What it says is judged by `checkReply`. */
export const Reply = z.object({ name: z.string(), summary: z.string(), quotes: z.array(z.string()) })

/** Why an answer is not taken. The texts go back to the model, so they hold nothing of customers or of its own. */
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
const QUOTES = 2
/** A word is shared when two people use it, or this share of them where they are many. */
const SHARED = 0.1
/** What a name or a sentence is made of at least: words of the messages, and among them shared ones. */
const KNOWN_WORDS = 0.5
const KNOWN_WORDS_OF_SENTENCE = 1 / 3
const SHARED_WORDS = 0.25
/** At most so much of a name are words that one person alone uses. */
const LONE_WORDS = 0.5

const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|\b(?:mailto|javascript|data):\S+|[^\s@]+@[^\s@]+\.[^\s@]+|@\w{3,}|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?|\+?\d[\d\s()./-]{7,}\d/giu
const MARKUP = /<\s*[!/?a-z]|&(?:#\d+|#x[0-9a-f]+|[a-z]+);|\]\s*\(|`|\*\*|__|\$\{|\{\{|^\s*#{1,6}\s/i
const UNSEEN = /\p{C}|[\p{Zl}\p{Zp}\ufffd]/u

/**
 * Whether an answer may be shown. The quotes must be in the given messages letter by letter; half of the name's words must be
 * the messages' (or the engine's) and a quarter must be shared by several people, as in every sentence of the summary. So
 * what one message asks for cannot be a name, or a sentence. A word that one person alone uses may stand beside shared ones,
 * but not one in capitals, nor one of a message that was held back. `taken`: the names of the other insights, by `nameKey`.
 */
export function checkReply(text: string, evidence: Evidence, taken: ReadonlySet<string>): Verdict {
  const reply = parseReply(text, Reply)
  if (!reply) return refused('form')
  const name = reply.name.trim()
  const summary = reply.summary.trim().replace(/\s*\n\s*/g, ' ')
  if (contentWords(name).length === 0 || contentWords(summary).length === 0) return refused('empty')
  if (name.length > MAX_NAME_LENGTH || summary.length > MAX_SUMMARY_LENGTH) return refused('length')
  const both = [name, summary]
  if (both.some((part) => UNSEEN.test(part) || MARKUP.test(part))) return refused('characters')
  const given = evidence.said.map((one) => one.text.toLowerCase()).join('\n')
  if (both.some((part) => [...part.matchAll(LINK)].some(([link]) => !given.includes(trimmed(link)))))
    return refused('link')
  if (!quotesHold(reply.quotes, evidence)) return refused('quotes')
  if (both.some(speaksToModels)) return refused('order')
  const voices = new Voices(evidence)
  const words = voices.judge(name)
  if (words.known < KNOWN_WORDS || words.shared < SHARED_WORDS) return refused('name')
  if (words.suspect || words.lone > LONE_WORDS) return refused('voice')
  if (!sentencesHold(summary, voices)) return refused('summary')
  if (taken.has(nameKey(name))) return refused('taken')
  return { ok: true, name, summary }
}

/** What two names have in common that read as the same. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function refused(refusal: Refusal): Verdict {
  return { ok: false, refusal }
}

function trimmed(link: string): string {
  return link.toLowerCase().replace(/[\s.,;:!?)\]]+$/, '')
}

/** Every quote is in a message, and two of them are in different ones. */
function quotesHold(quotes: readonly string[], evidence: Evidence): boolean {
  const holders = new Set<number>()
  for (const quote of quotes.map((one) => one.trim())) {
    const found = evidence.quotes.flatMap(({ text }, at) => (text.includes(quote) ? [at] : []))
    if (quote.length < MIN_QUOTE_LENGTH || found.length === 0) return false
    for (const at of found) holders.add(at)
  }
  return quotes.length >= QUOTES && holders.size >= QUOTES
}

function sentencesHold(summary: string, voices: Voices): boolean {
  return summary.split(/(?<=[.!?。！？;])\s*/u).every((sentence) => {
    if (contentWords(sentence).length === 0) return true
    const { known, shared, suspect } = voices.judge(sentence)
    return known >= KNOWN_WORDS_OF_SENTENCE && shared >= SHARED_WORDS && !suspect
  })
}

/** Whose words a text is made of, in shares of its words. `suspect`: one of them must not come back. */
type Made = { known: number; shared: number; lone: number; suspect: boolean }

/** Which words how many people use. */
class Voices {
  readonly #shared: number
  readonly #said: { person: string; words: string[] }[]
  readonly #title: string[]
  readonly #heldBack: string[]
  /** Words that stand in capitals somewhere. */
  readonly #loud: Set<string>

  constructor({ said, heldBack, title }: Evidence) {
    this.#shared = Math.max(2, Math.ceil(countPeople(said) * SHARED))
    this.#said = said.map(({ text, person }) => ({ person, words: contentWords(text) }))
    this.#title = contentWords(title)
    this.#heldBack = heldBack.flatMap(contentWords)
    const loud = said.flatMap(({ text }) => text.normalize('NFKC').match(/\p{Lu}{4,}/gu) ?? [])
    this.#loud = new Set(loud.map((word) => word.toLowerCase()))
  }

  judge(text: string): Made {
    const words = contentWords(text)
    const counted = words.map((word) => ({ word, people: this.#people(word) }))
    const share = (fits: (one: { word: string; people: number }) => boolean) =>
      counted.filter(fits).length / words.length
    return {
      known: share(({ word, people }) => people > 0 || has(this.#title, word)),
      shared: share(({ people }) => people >= this.#shared),
      lone: share(({ people }) => people === 1),
      suspect: counted.some(({ word, people }) => people < 2 && (this.#loud.has(word) || has(this.#heldBack, word))),
    }
  }

  #people(word: string): number {
    return new Set(this.#said.flatMap(({ person, words }) => (has(words, word) ? [person] : []))).size
  }
}

function has(words: readonly string[], word: string): boolean {
  return words.some((other) => sameWord(word, other))
}

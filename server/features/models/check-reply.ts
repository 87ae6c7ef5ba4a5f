import { z } from 'zod'
import { countPeople, type Evidence } from './evidence.ts'
import { speaksToModels } from './injection.ts'
import { contentWords, sameWord } from './words.ts'

/** The form of an answer. What it says is judged by `checkReply`. */
export const Reply = z.object({ name: z.string(), summary: z.string(), quotes: z.array(z.string()) })
export type Reply = z.infer<typeof Reply>

/** Why an answer is not taken. The texts go back to the model, so they hold nothing of customers or of its own. */
export const refusals = {
  form: 'It was not one JSON object with name, summary and quotes.',
  empty: 'The name or the summary was empty.',
  length: 'The name or the summary was too long: 80 and 500 characters at most.',
  characters: 'The name or the summary held line breaks, markup or characters that cannot be seen.',
  link: 'The name or the summary held a link, an address or a number to call that is not in the messages.',
  quotes: 'The quotes were not at least two pieces copied letter by letter from different messages.',
  order: 'The name or the summary spoke to the reader instead of saying what customers say.',
  name: 'At least half of the words of the name must be words that several messages use.',
  voice: 'The name held a word that almost no other message uses. Take a word that several use, or a plain one.',
  summary:
    'A sentence of the summary had too few words that several messages use, or a loud word that one message has.',
  taken: 'Another title in the list is the same. Say what sets this one apart.',
} as const
export type Refusal = keyof typeof refusals

export type Verdict = { ok: true; name: string; summary: string } | { ok: false; refusal: Refusal }

const LONGEST_NAME = 80
const LONGEST_SUMMARY = 500
const SHORTEST_QUOTE = 6
const QUOTES = 2
/** From this share of the people on, what they say is shared; below the smaller one it is one voice among many. */
const SHARED = 0.1
const HEARD = 0.05
const SHARED_WORDS_OF_NAME = 0.5
const SHARED_WORDS_OF_SENTENCE = 1 / 3

const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|\b(?:mailto|javascript|data):\S+|[^\s@]+@[^\s@]+\.[^\s@]+|@\w{3,}|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?|\+?\d[\d\s()./-]{7,}\d/giu
const MARKUP = /<\s*[!/?a-z]|&(?:#\d+|#x[0-9a-f]+|[a-z]+);|\]\s*\(|`|\*\*|__|\$\{|\{\{|^\s*#{1,6}\s/i
const UNSEEN = /\p{C}|[\p{Zl}\p{Zp}\ufffd]/u

/**
 * Whether an answer may be shown. The quotes must be in the given messages letter by letter; the name and every sentence of
 * the summary must be made, in good part, of words that several people use; no word of the name may be one person's alone.
 * So what one message asks for cannot become a name. `taken`: the names of the other insights, by `nameKey`.
 */
export function checkReply(text: string, evidence: Evidence, taken: ReadonlySet<string>): Verdict {
  const reply = readReply(text)
  if (!reply) return refused('form')
  const name = reply.name.trim()
  const summary = reply.summary.trim().replace(/\s*\n\s*/g, ' ')
  if (contentWords(name).length === 0 || contentWords(summary).length === 0) return refused('empty')
  if (name.length > LONGEST_NAME || summary.length > LONGEST_SUMMARY) return refused('length')
  const both = [name, summary]
  if (both.some((part) => UNSEEN.test(part) || MARKUP.test(part))) return refused('characters')
  const given = evidence.said.map((one) => one.text.toLowerCase()).join('\n')
  if (both.some((part) => [...part.matchAll(LINK)].some(([link]) => !given.includes(trimmed(link)))))
    return refused('link')
  if (!quotesHold(reply.quotes, evidence)) return refused('quotes')
  if (both.some(speaksToModels)) return refused('order')
  const voices = new Voices(evidence)
  const words = contentWords(name)
  if (voices.shareOfShared(words) < SHARED_WORDS_OF_NAME) return refused('name')
  if (words.some((word) => voices.isLone(word))) return refused('voice')
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

/** One JSON object, alone or in a code fence; null for anything else. */
function readReply(text: string): Reply | null {
  const fenced = /^\s*```(?:json)?\s*([^]*?)\s*```\s*$/.exec(text)
  try {
    const parsed = Reply.safeParse(JSON.parse(fenced?.[1] ?? text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
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
    if (quote.length < SHORTEST_QUOTE || found.length === 0) return false
    for (const at of found) holders.add(at)
  }
  return quotes.length >= QUOTES && holders.size >= QUOTES
}

/** A word all in capitals draws the eye, so that it too must be said by several. */
function sentencesHold(summary: string, voices: Voices): boolean {
  const loud = summary.match(/\b\p{Lu}{4,}\b/gu) ?? []
  if (loud.some((word) => voices.of(word.toLowerCase()) < voices.heard)) return false
  return summary.split(/(?<=[.!?。！？;])\s*/u).every((sentence) => {
    const words = contentWords(sentence)
    if (words.some((word) => voices.isHeldBack(word))) return false
    return words.length === 0 || voices.shareOfShared(words) >= SHARED_WORDS_OF_SENTENCE
  })
}

/** Which words how many people use. */
class Voices {
  readonly heard: number
  readonly #shared: number
  readonly #words: { person: string; words: string[] }[]
  readonly #heldBack: string[]

  constructor({ said, heldBack }: Evidence) {
    const people = countPeople(said)
    this.heard = Math.max(2, Math.ceil(people * HEARD))
    this.#shared = Math.max(2, Math.ceil(people * SHARED))
    this.#words = said.map(({ text, person }) => ({ person, words: contentWords(text) }))
    this.#heldBack = heldBack.flatMap(contentWords)
  }

  /** How many people use the word in any of its forms. */
  of(word: string): number {
    const people = new Set<string>()
    for (const { person, words } of this.#words) {
      if (!people.has(person) && words.some((other) => sameWord(word, other))) people.add(person)
    }
    return people.size
  }

  /** True for a word of one person, or of a few among very many. One that nobody uses is the model's own. */
  isLone(word: string): boolean {
    const voices = this.of(word)
    return voices < this.heard && (voices > 0 || this.isHeldBack(word))
  }

  /** True for a word that only messages have which the model was not shown. */
  isHeldBack(word: string): boolean {
    return this.of(word) < this.heard && this.#heldBack.some((other) => sameWord(word, other))
  }

  shareOfShared(words: readonly string[]): number {
    return words.filter((word) => this.of(word) >= this.#shared).length / words.length
  }
}

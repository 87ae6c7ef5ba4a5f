import { languageOf } from '@groundswell/engine/index.ts'
import { contentWords, sameWord } from '../../content-words.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'

/** A mention as it is stored, with what was read in it. Without an author each counts as a different person. */
export type StoredMention = { text: string; author: string | null; point?: string | null }

/**
 * A piece of what one person wrote, as shown to the model: one line, cut, without invisible characters. `point`: a language model's reading of it; null
 * if there is none. It is not shown, and supports an answer as the person's own words do.
 */
export type Quote = { text: string; person: string; point?: string | null }

/**
 * `quotes`: what the model is shown. `mentions`: all mentions that may be shown, by which its answer is judged. `withheld`:
 * texts that address models; words that only they contain must not come back in an answer. `title`: the built-in name,
 * empty when it addresses models.
 */
export type Evidence = { title: string; quotes: Quote[]; mentions: Quote[]; withheld: string[] }

type Candidate = Quote & { words: string[] }

const MAX_QUOTES = 12
const MAX_PER_PERSON = 2
const MIN_LENGTH = 8
/** No more than this many characters of a mention are read. */
const MAX_READ = 2000
/** How much a candidate's worth is reduced for being similar to a chosen one. */
const SIMILARITY_PENALTY = 0.7

/** This many of the newest mentions of an insight are read. */
export const MENTIONS_READ = 40

/** Fewer people than these cannot confirm each other: the model is not asked. */
export const MIN_PEOPLE = 2

/**
 * What the model is shown of an insight: at most 12 pieces that represent it and differ from each other, at most two from
 * each person. Links and e-mail addresses are removed. Text that addresses models instead of people is withheld.
 */
export function gatherEvidence(title: string, stored: readonly StoredMention[]): Evidence {
  const { mentions, withheld } = screen(stored)
  const distinct = new Map(mentions.map((one) => [one.text.toLowerCase(), one]))
  const pool = [...distinct.values()].map((one) => ({ one, centrality: centralityOf(one, mentions) }))
  const quotes: Candidate[] = []
  while (quotes.length < MAX_QUOTES && pool.length > 0) {
    let best = 0
    let bestWorth = Number.NEGATIVE_INFINITY
    for (const [at, { one, centrality }] of pool.entries()) {
      const similarity = quotes.reduce((high, other) => Math.max(high, overlap(one.words, other.words)), 0)
      const worth = centrality - SIMILARITY_PENALTY * similarity
      if (worth <= bestWorth) continue
      bestWorth = worth
      best = at
    }
    quotes.push(...pool.splice(best, 1).map(({ one }) => one))
  }
  const toQuote = ({ text, person, point }: Candidate): Quote => ({ text, person, point: point ?? null })
  return {
    title: speaksToModels(title) ? '' : oneLine(title),
    quotes: quotes.map(toQuote),
    mentions: mentions.map(toQuote),
    withheld,
  }
}

/** Whether the quotes are in English, taken together. */
export function isEnglish({ quotes }: Pick<Evidence, 'quotes'>): boolean {
  return languageOf(quotes.map(({ text }) => text).join('\n')) === 'en'
}

/** How many different people wrote these. */
export function countPeople(quotes: readonly Quote[]): number {
  return new Set(quotes.map(({ person }) => person)).size
}

/** Splits mentions into those that may be shown and those that are withheld. The same words by one person count once. */
function screen(stored: readonly StoredMention[]): { mentions: Candidate[]; withheld: string[] } {
  const perPerson = new Map<string, number>()
  const seen = new Set<string>()
  const mentions: Candidate[] = []
  const withheld: string[] = []
  for (const [at, { text, author, point }] of stored.slice(0, MENTIONS_READ).entries()) {
    const start = withoutAddresses(text.slice(0, MAX_READ))
    const line = oneLine(start)
    const key = `${author ?? ''}\n${line.toLowerCase()}`
    const person = author === null ? `#${at}` : `@${author}`
    const before = perPerson.get(person) ?? 0
    if (line.length < MIN_LENGTH || seen.has(key) || before === MAX_PER_PERSON) continue
    if (speaksToModels(start) || speaksToModels(line)) {
      withheld.push(oneLine(start, MAX_READ))
      continue
    }
    perPerson.set(person, before + 1)
    seen.add(key)
    mentions.push({ text: line, person, point: point ?? null, words: contentWords(line) })
  }
  return { mentions, withheld }
}

function centralityOf(one: Candidate, all: readonly Candidate[]): number {
  const sum = all.reduce((total, other) => total + (other === one ? 0 : overlap(one.words, other.words)), 0)
  return all.length > 1 ? sum / (all.length - 1) : 0
}

function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  const shared = a.filter((word) => b.some((other) => sameWord(word, other))).length
  return shared / Math.min(a.length, b.length)
}

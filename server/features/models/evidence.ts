import { speaksToModels } from './injection.ts'
import { contentWords, sameWord } from './words.ts'

/** A mention as it is stored. Without an author each counts as another person. */
export type Said = { text: string; author: string | null }

/** A piece of what one person said, as it is shown to the model: one line, cut, without invisible characters. */
export type Quote = { text: string; person: string }

/**
 * `quotes`: what the model is shown. `said`: all that was looked at and may be shown, by which its answer is judged.
 * `heldBack`: texts that speak to models; what only they say must not come back in an answer. `title`: the engine's name, empty
 * when it speaks to models.
 */
export type Evidence = { title: string; quotes: Quote[]; said: Quote[]; heldBack: string[] }

type Candidate = Quote & { words: string[] }

const AT_MOST = 12
const FROM_ONE_PERSON = 2
const MAX_LENGTH = 240
const MIN_LENGTH = 8
/** Of a mention no more than so many characters are looked at. */
const READ = 2000
/** How much a piece loses for being like one that was chosen. */
const REPEATING = 0.7

/** Of an insight so many of the newest mentions are looked at. */
export const MENTIONS_READ = 40

/** Fewer people than these cannot bear each other out: the model is not asked. */
export const MIN_PEOPLE = 2

/**
 * What the model is shown of an insight: at most 12 pieces that stand for it and differ from each other, at most two from
 * each person. Links and e-mail addresses are cut out. What speaks to models instead of people is left out.
 */
export function gatherEvidence(title: string, mentions: readonly Said[]): Evidence {
  const { said, heldBack } = readable(mentions)
  const texts = new Map(said.map((one) => [one.text.toLowerCase(), one]))
  const pool = [...texts.values()].map((one) => ({ one, centrality: centralityOf(one, said) }))
  const quotes: Candidate[] = []
  while (quotes.length < AT_MOST && pool.length > 0) {
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    for (const [at, { one, centrality }] of pool.entries()) {
      const likeness = quotes.reduce((high, other) => Math.max(high, overlap(one.words, other.words)), 0)
      const worth = centrality - REPEATING * likeness
      if (worth <= most) continue
      most = worth
      best = at
    }
    quotes.push(...pool.splice(best, 1).map(({ one }) => one))
  }
  const plain = ({ text, person }: Candidate) => ({ text, person })
  return {
    title: speaksToModels(title) ? '' : oneLine(title),
    quotes: quotes.map(plain),
    said: said.map(plain),
    heldBack,
  }
}

/** How many different people are heard in these. */
export function countPeople(quotes: readonly Quote[]): number {
  return new Set(quotes.map(({ person }) => person)).size
}

/** What is fit to be shown. One person's, or nobody's, same words count once. */
function readable(mentions: readonly Said[]): { said: Candidate[]; heldBack: string[] } {
  const perPerson = new Map<string, number>()
  const seen = new Set<string>()
  const said: Candidate[] = []
  const heldBack: string[] = []
  for (const [at, { text, author }] of mentions.slice(0, MENTIONS_READ).entries()) {
    const begin = withoutAddresses(text.slice(0, READ))
    const clean = oneLine(begin)
    const key = `${author ?? ''}\n${clean.toLowerCase()}`
    const person = author === null ? `#${at}` : `@${author}`
    const before = perPerson.get(person) ?? 0
    if (clean.length < MIN_LENGTH || seen.has(key) || before === FROM_ONE_PERSON) continue
    if (speaksToModels(begin) || speaksToModels(clean)) {
      heldBack.push(oneLine(begin, READ))
      continue
    }
    perPerson.set(person, before + 1)
    seen.add(key)
    said.push({ text: clean, person, words: contentWords(clean) })
  }
  return { said, heldBack }
}

/** Text without links and e-mail addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(/\b(?:https?:\/\/|www\.)\S+/gi, '…').replace(/[^\s@<>]{1,64}@[^\s@<>]+\.[^\s@<>]+/g, '…')
}

function centralityOf(one: Candidate, all: readonly Candidate[]): number {
  const sum = all.reduce((total, other) => total + (other === one ? 0 : overlap(one.words, other.words)), 0)
  return all.length > 1 ? sum / (all.length - 1) : 0
}

/** Text as one line of at most `longest` characters, without what cannot be seen. */
export function oneLine(text: string, longest: number = MAX_LENGTH): string {
  const visible = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '')
  const line = visible.replace(/\s+/g, ' ').trim()
  if (line.length <= longest) return line
  const cut = line.slice(0, longest)
  return cut
    .slice(0, Math.max(cut.lastIndexOf(' '), longest - 40))
    .toWellFormed()
    .replace('\ufffd', '')
    .trim()
}

function overlap(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0
  const shared = a.filter((word) => b.some((other) => sameWord(word, other))).length
  return shared / Math.min(a.length, b.length)
}

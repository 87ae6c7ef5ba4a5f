import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import type { Item } from '@groundswell/engine/model.ts'

const OPENINGS = ['', '', '', 'Hi, ', 'Hello team, ', 'Again: ', 'Quick note: ', 'fyi ', 'Since Monday ']
const CLOSINGS = ['', '', '', ' Thanks!', ' Please help.', ' Any news?', ' (still)', ' ASAP please']
const FILLERS = ['really', 'also', 'again', 'sometimes', 'still', 'just', 'today', 'somehow', 'here', 'now']
const PLACES = ['for', 'at', 'with', 'in']
const SYLLABLES =
  `ba be bo bra cal cor da del di dor el en fa fen fi ga gol gri ha hel in jo ka kel kri la len lo lu ma mer mi mon na nel no
  or pa pel pri ra rel ri ro sa sel si so ta tel ti tor tra u va vel vi vo wa wil xe ya yor za zen zo`.split(/\s+/)
/** Messages per conversation, and the share of messages in one. */
const CONVERSATION_LENGTH = 25
const CONVERSATION_SHARE = 0.2

type Random = () => number

/**
 * An endless stream from a few hundred messages and a seed. Each message is reworded (words dropped, misspelt,
 * inserted), a quarter mention a name from a pool that grows with the square root of the count, and new subjects keep
 * appearing by substituting words, so neither the vocabulary nor the subjects stay fixed.
 */
export function* syntheticStream(texts: readonly string[], seed: number): Generator<Item> {
  const random = seededRandom(seed)
  const words = texts.map((text) => text.split(' '))
  for (let n = 0; ; n++) {
    const subjects = 1 + Math.floor(Math.log2(1 + n / 5_000))
    const subject = Math.floor(random() ** 2 * subjects)
    const said = pick(random, words).map((word) => (subject > 0 ? substituted(word, subject) : word))
    const parts = said.flatMap((word) => reworded(word, random))
    if (random() < 0.25) parts.push(pick(random, PLACES), nameOf(Math.floor(random() ** 2 * (50 + 30 * Math.sqrt(n)))))
    const text = `${pick(random, OPENINGS)}${parts.join(' ')}${pick(random, CLOSINGS)}`
    const item: Item = { id: `m${n}`, text, at: n * 60_000 }
    if (random() < CONVERSATION_SHARE) item.thread = `t${Math.floor(n / CONVERSATION_LENGTH)}`
    yield item
  }
}

/** Replaces a third of the longer words, consistently per subject. */
function substituted(word: string, subject: number): string {
  if (word.length < 5) return word
  let hash = 7
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0
  return (hash >>> 0) % 3 === 0 ? nameOf(1_000_000 + ((hash >>> 8) % 20_000) * 16 + subject) : word
}

function reworded(word: string, random: Random): string[] {
  const chance = random()
  if (chance < 0.04) return []
  if (chance < 0.08) return [word, pick(random, FILLERS)]
  if (chance < 0.11) return [misspelt(word, random)]
  return [word]
}

/** Swaps two adjacent letters. */
function misspelt(word: string, random: Random): string {
  if (word.length < 5 || !/^[a-z]+$/i.test(word)) return word
  const at = 1 + Math.floor(random() * (word.length - 3))
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}

/** A made-up word, unique per number. */
function nameOf(number: number): string {
  let rest = number
  let name = ''
  do {
    name += SYLLABLES[rest % SYLLABLES.length] as string
    rest = Math.floor(rest / SYLLABLES.length)
  } while (rest > 0)
  return name.length < 4 ? `${name}ton` : name
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

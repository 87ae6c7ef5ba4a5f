import { between, pick, type Random } from './random.ts'

/** What a message needs in order to be rephrased. */
export type Sayable = { text: string; author: string }
type PerturbedRow = { id: string; text: string; author: string; date: string }

const OPENINGS = [
  '',
  '',
  '',
  'Hi, ',
  'Hello team, ',
  'Again: ',
  'Quick note: ',
  'fyi ',
  'Not sure if known, ',
  'Since Monday ',
]
const CLOSINGS = [
  '',
  '',
  '',
  ' Thanks!',
  ' Please help.',
  ' Any news?',
  ' (still)',
  ' Same for my colleague.',
  ' ASAP please',
]
const FILLERS = ['really', 'also', 'again', 'sometimes', 'still', 'just', 'today', 'somehow', 'here', 'now']
const START = Date.UTC(2026, 0, 5)
const MINUTE_MS = 60_000

/**
 * Any number of messages out of a few hundred, each rephrased: words dropped, doubled, swapped, misspelt, filler
 * and greeting added. The same seed gives the same rows. Yields one at a time, so that no list of them is ever in memory.
 */
export function* perturbed(messages: readonly Sayable[], count: number, random: Random): Generator<PerturbedRow> {
  for (let index = 0; index < count; index += 1) {
    const message = pick(random, messages)
    yield {
      id: `p-${index}`,
      text: `${pick(random, OPENINGS)}${reworded(message.text, random)}${pick(random, CLOSINGS)}`,
      author: `${message.author} ${between(random, 1, 50)}`,
      date: new Date(START + index * MINUTE_MS).toISOString(),
    }
  }
}

/** The rows as JSONL bytes, a few thousand at a time. */
export async function* asBytes(rows: Iterable<object>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let lines: string[] = []
  for (const row of rows) {
    lines.push(`${JSON.stringify(row)}\n`)
    if (lines.length < 1_000) continue
    yield encoder.encode(lines.join(''))
    lines = []
  }
  if (lines.length > 0) yield encoder.encode(lines.join(''))
}

/** Changes some of the words. At least one remains. */
function reworded(text: string, random: Random): string {
  const words = text
    .split(' ')
    .flatMap((word) => {
      const chance = random()
      if (chance < 0.04) return []
      if (chance < 0.08) return [word, pick(random, FILLERS)]
      if (chance < 0.11) return [misspelt(word, random)]
      if (chance < 0.13) return [word.toLowerCase()]
      return [word]
    })
    .join(' ')
  return words.trim() === '' ? text : words
}

/** Swaps two neighbouring letters. */
function misspelt(word: string, random: Random): string {
  if (word.length < 5 || !/^[a-z]+$/i.test(word)) return word
  const at = between(random, 1, word.length - 3)
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}

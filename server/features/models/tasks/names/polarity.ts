import { isNegation, languageOf, toneOf } from '@groundswell/engine/index.ts'
import type { Quote } from './evidence.ts'

/** The largest share of the most similar texts that may be negated where a name is not, and the least share where it is. */
const MOST = 0.7
const LEAST = 0.3

/**
 * Whether a name says the opposite of what its customers say: it has no negation and most of them have one, or the other way round.
 * `alike`: the texts most similar to it by vectors, which do not distinguish the two.
 */
export function isReversed(name: string, alike: readonly string[]): boolean {
  const negated = alike.filter(negates).length / alike.length
  return negates(name) ? negated < LEAST : negated > MOST
}

/** Whether a name only praises where most customers do not. */
export function praisesComplaints(name: string, mentions: readonly Quote[]): boolean {
  const praises = (text: string) => toneOf(text, languageOf(text)) === 'praise'
  return praises(name) && mentions.filter(({ text, point }) => praises(point ?? text)).length * 2 < mentions.length
}

function negates(text: string): boolean {
  const language = languageOf(text)
  const words = text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  return words.some((word) => isNegation(word, language))
}

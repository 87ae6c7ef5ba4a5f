import { isNegation, languageOf, toneOf } from '@groundswell/engine/index.ts'
import type { Quote } from './evidence.ts'

/** The largest share of the most similar texts that may be negated where a name is not, and the least share where it is. */
const MOST = 0.7
const LEAST = 0.3

/**
 * Whether a name says the opposite of what customers say who mean it: it negates nothing, and most of them do; or it does, and they do not.
 * `alike`: what is most alike to it by meaning, which does not tell the two apart.
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

import { isNegation, languageOf } from '@groundswell/engine/index.ts'
import { contentWords, sameWord } from '../../models/index.ts'

/** Texts that names are looked up in, with how rare each word is in them. */
export class WordIndex {
  readonly #texts: string[][]

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(contentWords)
  }

  /** For each text the share of the name's words that it holds, rare words weighing more; all 0 for a name without words. */
  holds(name: string): number[] {
    const words = contentWords(name)
    const found = words.map((word) => this.#texts.map((text) => text.some((other) => sameWord(word, other))))
    const weights = found.map((where) => Math.log((this.#texts.length + 1) / (where.filter(Boolean).length + 1)) + 1)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return this.#texts.map((_text, at) =>
      total === 0 ? 0 : weights.reduce((sum, weight, word) => sum + (found[word]?.[at] ? weight : 0), 0) / total,
    )
  }
}

/** How many words two names share, from 0 to 1: those that both have, of those that either has. */
export function sharedShare(a: string, b: string): number {
  const [ours, theirs] = [contentWords(a), contentWords(b)]
  const shared = ours.filter((word) => theirs.some((other) => sameWord(word, other))).length
  const all = ours.length + theirs.length - shared
  return all === 0 ? 0 : shared / all
}

/** The share of the members of either set that are in both, from 0 to 1. */
export function overlap(a: readonly number[], b: readonly number[]): number {
  const theirs = new Set(b)
  const shared = a.filter((one) => theirs.has(one)).length
  const all = new Set([...a, ...b]).size
  return all === 0 ? 0 : shared / all
}

/** Whether a text has a negation, in its own language. */
export function negates(text: string): boolean {
  const language = languageOf(text)
  return text.split(/[^\p{L}\p{N}'’-]+/u).some((word) => isNegation(word, language))
}

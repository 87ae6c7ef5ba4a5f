import type { Sentence } from './naming.ts'
import { informativenessOf } from './readability.ts'
import { asSentence } from './titles.ts'

/** Shorter sentences are headings or asides, longer ones are not read. */
const MIN_WORDS = 5
const MAX_SENTENCE_LENGTH = 220
/** A second sentence needs this share of the first one's score. */
const MIN_SECOND_SCORE = 0.3
/** A sentence that repeats the name counts less. */
const REPEAT_FACTOR = 0.6

/**
 * Summarises a group in one or two of its own sentences, most central first; the second must add to the first. Avoids
 * repeating the name. `sentences` are sorted by centrality; empty if there are none.
 */
export function summaryOf(sentences: Sentence[], name: string): string {
  const readable = sentences.filter(
    ({ text }) => text.length <= MAX_SENTENCE_LENGTH && text.split(/\s+/).length >= MIN_WORDS,
  )
  const fit = readable.length > 0 ? readable : sentences.filter(({ text }) => text.length <= MAX_SENTENCE_LENGTH)
  const among = fit.length > 0 ? fit : sentences.slice(0, 1)
  const lowerName = name.toLowerCase()
  const scored = among.map((one) => ({
    one,
    score:
      one.centrality *
      informativenessOf(one, one.node.language) *
      (one.title?.text.toLowerCase() === lowerName ? REPEAT_FACTOR : 1),
  }))
  const first = best(scored)
  if (!first) return ''
  const second = best(
    scored.map(({ one, score }) => ({
      one,
      score: one.node === first.one.node ? 0 : score * (1 - overlap(first.one.stems, one.stems)),
    })),
  )
  const texts = [asSentence(first.one.text)]
  if (second && second.score >= MIN_SECOND_SCORE * first.score) texts.push(asSentence(second.one.text))
  return texts.join(' ')
}

type Scored = { one: Sentence; score: number }

function best(scored: Scored[]): Scored | null {
  return scored.reduce<Scored | null>((most, one) => (one.score > (most?.score ?? 0) ? one : most), null)
}

/** The share of `b` that is in `a`; 1 for an empty `b`. */
export function overlap(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const value of b) if (a.has(value)) shared++
  return b.size > 0 ? shared / b.size : 1
}

import type { Sentence } from './naming.ts'
import { tellingOf } from './readability.ts'
import { spoken } from './titles.ts'

/** Shorter ones are headings or asides, longer ones are not read. */
const FEWEST_WORDS = 5
const LONGEST = 220
/** So much of the first sentence's worth a second one must have. */
const WORTH_SAYING = 0.3
/** What the group's name says already is worth less. */
const REPEATS = 0.6

/**
 * What a group says in one or two of its sentences, most central first: the second adds to the first. Neither is the group's
 * name again, where there is another. Sentences come by centrality; empty without any.
 */
export function summaryOf(sentences: Sentence[], name: string): string {
  const readable = sentences.filter(({ text }) => text.length <= LONGEST && text.split(/\s+/).length >= FEWEST_WORDS)
  const fit = readable.length > 0 ? readable : sentences.filter(({ text }) => text.length <= LONGEST)
  const among = fit.length > 0 ? fit : sentences.slice(0, 1)
  const said = name.toLowerCase()
  const scored = among.map((one) => ({
    one,
    score: one.centrality * tellingOf(one, one.node.language) * (one.title?.text.toLowerCase() === said ? REPEATS : 1),
  }))
  const first = best(scored)
  if (!first) return ''
  const second = best(
    scored.map(({ one, score }) => ({
      one,
      score: one.node === first.one.node ? 0 : score * (1 - overlap(first.one.stems, one.stems)),
    })),
  )
  const texts = [spoken(first.one.text)]
  if (second && second.score >= WORTH_SAYING * first.score) texts.push(spoken(second.one.text))
  return texts.join(' ')
}

type Scored = { one: Sentence; score: number }

function best(scored: Scored[]): Scored | null {
  return scored.reduce<Scored | null>((most, one) => (one.score > (most?.score ?? 0) ? one : most), null)
}

/** What share of `b` is in `a`; 1 of nothing. */
export function overlap(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const value of b) if (a.has(value)) shared++
  return b.size > 0 ? shared / b.size : 1
}

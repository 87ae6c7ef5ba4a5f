import { foldText, splitSearch } from '@groundswell/contract/values/fold-text.ts'
import {
  hasWord,
  phrasePattern,
  termPattern,
  UNSPACED,
  unspacedRuns,
  writtenTerm,
} from '@groundswell/contract/values/search-terms.ts'
import type { Asked } from '../../feedback/index.ts'

/**
 * What the index by words does not answer, of a folded text: a sequence of characters without spaces, whose pairs are in the index, or a pattern for
 * a term whose punctuation has a meaning; `literal`: what a text must have to match it, which takes less time to see, null: nothing in particular.
 */
export type Check = { run: string } | { pattern: string; literal: string | null }

/**
 * What someone typed, parsed for the search. `asked`: the words that the index is asked for, null when only punctuation is quoted; `checks` belong to
 * them. `phrases`: patterns for the quoted parts, of the text as it is, regardless of case. `words`: what was typed, part by part.
 */
export type Terms = { asked: Asked | null; checks: Check[]; phrases: string[]; words: string[] }

const EDGES = { before: `(^|[^[:alnum:]]|[${UNSPACED}])`, after: `($|[^[:alnum:]]|[${UNSPACED}])` }
const LONGER_THAN_PAIR = /.{3}/u
const LAST_WORD = /[\p{L}\p{N}]*$/u

/**
 * Reads a search: each word must occur, the last one may be incomplete, and text in double quotes must occur exactly. Null if nothing was typed.
 */
export function readTerms(typed: string): Terms | null {
  const parts = splitSearch(typed)
  if (parts.length === 0) return null
  const words: string[] = []
  const checks: Check[] = []
  const phrases: string[] = []
  let starting = ''
  for (const [place, { text, quoted }] of parts.entries()) {
    const written = quoted ? null : writtenTerm(text)
    const incomplete = place === parts.length - 1 && !quoted
    if (quoted) phrases.push(phrasePattern(text.normalize(), EDGES))
    else if (written !== null)
      checks.push({ pattern: termPattern(written, incomplete, EDGES), literal: literalOf(written) })
    else checks.push(...longRuns(text))
    // Of a term that is checked as it is written, only its last word may continue: C++ is no beginning of other words.
    if (incomplete) starting = written === null ? text : (LAST_WORD.exec(written)?.[0] ?? '')
    words.push(incomplete ? (written ?? text).slice(0, (written ?? text).length - starting.length) : text)
  }
  const asked = { words: words.join(' ').trim(), starting }
  const isWord = phrases.length === 0 || hasWord(`${asked.words} ${starting}`)
  return { asked: isWord ? asked : null, checks, phrases, words: parts.map(({ text }) => text) }
}

/** A written term as it is in each text that has it: a space may be before %. */
const literalOf = (written: string) => (written.includes('%') ? null : written)

/** Reads a search of parts of words: `words`, folded, may be anywhere in a folded text; `phrases` are patterns as those of `Terms`. */
export function readParts(typed: string): { words: string[]; phrases: string[] } {
  const parts = splitSearch(typed)
  return {
    words: parts.flatMap(({ text, quoted }) => (quoted ? [] : foldText(text.replace(/["“”„]/g, '')) || [])),
    phrases: parts.flatMap(({ text, quoted }) => (quoted ? phrasePattern(text.normalize(), EDGES) : [])),
  }
}

/** One whole word of a search for several; a message need not have all. */
export function oneWord(word: string): { asked: Asked; checks: Check[] } {
  return { asked: { words: word, starting: '' }, checks: longRuns(word) }
}

/** Those that are longer than the pairs in the index, whose parts may occur separately. */
function longRuns(text: string): Check[] {
  return unspacedRuns(text).flatMap((run) => (LONGER_THAN_PAIR.test(run) ? { run } : []))
}

import { foldText, splitSearch } from '@groundswell/contract/values/fold-text.ts'
import { phrasePattern, termPattern, UNSPACED, writtenTerm } from '@groundswell/contract/values/search-terms.ts'
import type { Passage } from '../panel/marked-text.tsx'

const LETTER = String.raw`(?![${UNSPACED}])[\p{L}\p{N}\p{M}]`
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, 'u')
const EDGES = { before: `(?<!${LETTER})`, after: `(?!${LETTER})` }
/** Characters without spaces between words, or a word between spaces. */
const WORD = new RegExp(`[${UNSPACED}]+|(?:${LETTER})+`, 'gu')
/** What changes its form together: a letter with its accents, or letters of a syllable. */
const UNIT = /[\u1100-\u11ff]+|[^\p{M}\uff9e\uff9f]?[\p{M}\uff9e\uff9f]*/gsu

/**
 * Where the words of a search occur in a text, in its order: whole words, of the last one also the beginning of a longer word, words in scripts without
 * spaces anywhere, terms such as C++ as they are written, and passages in double quotes, as the server reads a search. Case, accents and punctuation
 * between words are ignored, except accents and punctuation within quotes.
 */
export function findSearched(text: string, search: string): Passage[] {
  const parts = splitSearch(search)
  const folded: string[] = []
  const quoted: string[] = []
  for (const [place, part] of parts.entries()) {
    const incomplete = place === parts.length - 1
    const written = part.quoted ? null : writtenTerm(part.text)
    if (part.quoted) quoted.push(phrasePattern(part.text.normalize(), EDGES))
    else if (written !== null) folded.push(continued(termPattern(written, incomplete, EDGES), written, incomplete))
    else folded.push(...(foldText(part.text).match(WORD) ?? []).map((word) => wordPattern(word, incomplete)))
  }
  return inOrder([
    ...passagesOf(text, foldText, folded, 'gu'),
    ...passagesOf(text, (unit) => unit.normalize(), quoted, 'giu'),
  ])
}

function wordPattern(word: string, incomplete: boolean): string {
  return continued(termPattern(word, incomplete, EDGES), word, incomplete)
}

/** To the end of the word, where its beginning was typed. */
function continued(pattern: string, typed: string, incomplete: boolean): string {
  return incomplete && ENDS_WITH_LETTER.test(typed) ? `${pattern}(?:${LETTER})*` : pattern
}

/** The passages of a text that the patterns match once its units are transformed. */
function passagesOf(
  text: string,
  transform: (unit: string) => string,
  patterns: readonly string[],
  flags: string,
): Passage[] {
  if (patterns.length === 0) return []
  const starts: number[] = []
  let transformed = ''
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    const one = transform(unit)
    transformed += one
    for (let at = 0; at < one.length; at += 1) starts.push(index)
  }
  starts.push(text.length)
  return [...transformed.matchAll(new RegExp(patterns.join('|'), flags))].flatMap(({ index, 0: found }) => {
    const start = starts[index] as number
    const last = starts[index + found.length - 1] as number
    const end = starts.find((one, at) => at >= index + found.length && one > last) ?? text.length
    return found === '' ? [] : { start, text: text.slice(start, end) }
  })
}

/** Passages in the order of the text; of those that overlap, the first. */
function inOrder(passages: readonly Passage[]): Passage[] {
  let end = 0
  return passages
    .toSorted((a, b) => a.start - b.start || b.text.length - a.text.length)
    .filter(({ start, text }) => {
      if (start < end) return false
      end = start + text.length
      return true
    })
}

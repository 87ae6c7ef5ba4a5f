import { foldText } from './fold-text.ts'

/**
 * The characters that are written without spaces between words (Thai, Lao, Myanmar, Khmer, Chinese, Japanese, Korean) and emoji, as the inside of the
 * brackets of a regular expression for JavaScript and PostgreSQL: those of `search_unspaced` in the database.
 */
export const UNSPACED =
  '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\u1100-\u11ff\u1780-\u17d3\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}'

const RUNS = new RegExp(`[${UNSPACED}]+`, 'gu')
const STARTS_WITH_LETTER = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, 'u')
const ENDS_WITH_LETTER = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]$`, 'u')

const AROUND = String.raw`[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"',;:!?…。、·¿¡]`
const BEFORE_TERM = new RegExp(String.raw`^(?:${AROUND}|\.{2,})+`, 'u')
const AFTER_TERM = new RegExp(String.raw`(?:${AROUND}|\.)+$`, 'u')
/** Between two words a plus only joins them. */
const MEANT = /[#<>%]|\+(?![\p{L}\p{N}])|^\+|^\.[\p{L}\p{N}]/u
const HAS_WORD = new RegExp(`[\\p{L}\\p{N}${UNSPACED}]`, 'u')

/** Whether a search has anything that is searched for besides punctuation. */
export function hasWord(text: string): boolean {
  return HAS_WORD.test(foldText(text))
}

/** The characters without spaces between words that follow each other in a text, folded. */
export function unspacedRuns(text: string): string[] {
  return foldText(text).match(RUNS) ?? []
}

/**
 * A term whose punctuation is part of its meaning (`C++`, `C#`, `.NET`, `<b>`, `100%`, `#12`), folded and without the punctuation of a sentence around it.
 * Null for other terms.
 */
export function writtenTerm(typed: string): string | null {
  const term = foldText(typed).replace(BEFORE_TERM, '').replace(AFTER_TERM, '')
  return MEANT.test(term) && HAS_WORD.test(term) ? term : null
}

/** What a regular expression needs before and after a word, so that it is a whole one. */
type WordEdges = { before: string; after: string }

/** A regular expression for a phrase, word for word; its spaces may be line breaks. */
export function phrasePattern(phrase: string, edges: WordEdges): string {
  return whole(phrase, phrase.split(/\s+/).map(escaped).join(String.raw`\s+`), edges)
}

/** A regular expression for a written term. A space may be before %, as some languages have it. `incomplete`: its last word may continue. */
export function termPattern(term: string, incomplete: boolean, { before, after }: WordEdges): string {
  return whole(term, escaped(term).replaceAll('%', String.raw`\s?%`), { before, after: incomplete ? '' : after })
}

function whole(text: string, pattern: string, { before, after }: WordEdges): string {
  return `${STARTS_WITH_LETTER.test(text) ? before : ''}${pattern}${ENDS_WITH_LETTER.test(text) ? after : ''}`
}

/** A text as a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

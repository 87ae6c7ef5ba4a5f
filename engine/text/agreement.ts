import { alternationOfAll, signsOfAll } from '../lexicons/lexicons.ts'
import { noiseReason } from './noise.ts'
import { normalise, tokenise } from './normalise.ts'

const sign = signsOfAll('NOISE_SIGNS')

/** Not the beginning of a number: `+1.5`, `+1 555 010`, `+1%`. */
const PLUS_ONE = '\\+ ?1(?![.,]?\\d| ?%| ?\\(?\\d{3})'
const END = '(?![\\p{L}\\p{N}])'
const BEFORE = `(?:(?:${sign('beforeAgreement')})${END}[^\\p{L}\\p{N}+]*){0,2}`
const AGREEMENT = new RegExp(`^${BEFORE}(?:${PLUS_ONE}|${sign('agreement')})${END}`, 'u')
const ADDITION = new RegExp(`^${BEFORE}${sign('addition')}${END}`, 'u')
const LEADING_MARKS = /^[^\p{L}\p{N}+]+/u
const WORD = /[\p{L}\p{N}]+/gu
/** A request or a question: words added to an agreement state a subject. */
const REQUEST = [
  alternationOfAll(({ REQUEST_PHRASES }) => REQUEST_PHRASES),
  signsOfAll('INTENT_SIGNS')('requestOpening'),
  signsOfAll('TITLE_SIGNS')('please'),
].join('|')
const ASKS = new RegExp(`\\?\\s*$|(?<!\\p{L})(?:${REQUEST})${END}`, 'u')
/** After an agreement, more words than these may state another subject. */
const MAX_ADDED_WORDS = 5

/**
 * Whether a reply is about what it replies to because it opens by agreeing with it: `+1, Okta here`, `also affects us`. `subjectless`: its
 * kind says that it has no subject; without that, only an agreement of few words counts.
 */
export function isAboutItsConversation(text: string, { subjectless = false }: { subjectless?: boolean }): boolean {
  const opening = normalise(text).replace(LEADING_MARKS, '')
  const agreement = AGREEMENT.exec(opening)
  if (agreement) return subjectless || countWords(opening.slice(agreement[0].length)) <= MAX_ADDED_WORDS
  const addition = subjectless ? ADDITION.exec(opening) : null
  if (!addition) return false
  const added = opening.slice(addition[0].length)
  return !ASKS.test(added) && noiseReason(tokenise(added)) === null
}

function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0
}

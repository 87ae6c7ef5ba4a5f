import { LEXICONS, signsOfAll } from '../lexicons/lexicons.ts'
import type { Language } from '../text/language.ts'

const sign = signsOfAll('TITLE_SIGNS')

/** Words, and the marks between clauses. */
const TOKEN = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*['’]?|[,;:.!?…()–—]/gu
const MARK = /^[,;:.!?…()–—]$/u
/** Begins a clause of its own; not so after a negation: `not because`. */
const CONNECTOR = new RegExp(`^(?:${sign('connector')})$`, 'i')
const QUESTION_START = new RegExp(`^(?:${sign('questionStart')}|if|whether)$`, 'i')

const NEGATIONS = Object.fromEntries(
  Object.entries(LEXICONS).map(([language, { NEGATIONS: pattern }]) => [
    language,
    new RegExp(`^(?:${pattern.source})$`, 'u'),
  ]),
) as Record<Exclude<Language, 'other'>, RegExp>

/** Whether a word negates: `no`, `doesn't`, `without`. */
export function isNegation(word: string, language: Language): boolean {
  return language !== 'other' && NEGATIONS[language].test(word.toLowerCase().replaceAll('’', "'"))
}

/**
 * Whether a title cut from a sentence says what the sentence does, and not its opposite: it has as many negations as the stretch of the
 * sentence that it covers, and the clause before that has none. A question may follow one: `I don't know how to pay`.
 */
export function keepsNegation(title: string, sentence: string, language: Language): boolean {
  const sentenceTokens = tokensOf(sentence)
  const told = tokensOf(title).filter((token) => !MARK.test(token))
  if (!sentenceTokens.some((token) => isNegation(token, language))) return true
  const [start, end] = stretchOf(told, sentenceTokens)
  const negations = (tokens: readonly string[]) => tokens.filter((token) => isNegation(token, language)).length
  if (negations(told) < negations(sentenceTokens.slice(start, end + 1))) return false
  if (QUESTION_START.test(told[0] ?? '')) return true
  const before = sentenceTokens.slice(0, start)
  const isBoundary = (token: string, at: number) =>
    MARK.test(token) || (CONNECTOR.test(token) && !isNegation(before[at - 1] ?? '', language))
  return negations(before.slice(before.findLastIndex(isBoundary) + 1)) === 0
}

function tokensOf(text: string): string[] {
  return text.toLowerCase().match(TOKEN) ?? []
}

/** The shortest stretch that contains these words in order; those of a rewriting need not be in it. All of it if none is. */
function stretchOf(told: readonly string[], sentenceTokens: readonly string[]): [start: number, end: number] {
  let best: [number, number] | null = null
  let most = 0
  for (let start = 0; start < sentenceTokens.length; start++) {
    if (sentenceTokens[start] !== told[0] && !told.includes(sentenceTokens[start] as string)) continue
    let found = 0
    let end = start
    let next = start
    for (const word of told) {
      const at = sentenceTokens.indexOf(word, next)
      if (at < 0) continue
      found++
      end = at
      next = at + 1
    }
    if (found > most || (found === most && best && end - start < best[1] - best[0])) {
      most = found
      best = [start, end]
    }
  }
  return best ?? [0, sentenceTokens.length - 1]
}

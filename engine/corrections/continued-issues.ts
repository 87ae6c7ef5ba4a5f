import type { Statement } from '../model.ts'
import type { State } from '../state/state.ts'
import { languageOf } from '../text/features.ts'
import { normalise, tokenise } from '../text/normalise.ts'
import { isStopword } from '../text/stopwords.ts'
import { hasStatements } from './remove.ts'

/** With fewer words in common, two texts are not similar. */
const MIN_SHARED_WORDS = 2

/**
 * Chooses which statements that are compared by their words begin in the issue that they were in (`former`, which the others lose): of an issue that
 * they have emptied, the one with the most words in common with the others, so that it remains the same issue. None where they
 * have too little in common: then it ends. Points keep theirs.
 */
export function continueIssues(state: State, statements: readonly Statement[]): void {
  const waiting = statements.filter(({ point, former }) => point === undefined && former !== undefined)
  const emptied = waiting.filter(({ former = 0 }) => former > 0 && !hasStatements(state, former))
  const first = new Map([...Map.groupBy(emptied, ({ former }) => former)].map(([id, some]) => [id, mostCommon(some)]))
  for (const one of waiting) if (first.get(one.former) !== one) delete one.former
}

function mostCommon(statements: readonly Statement[]): Statement | undefined {
  const words = statements.map(({ text }) => {
    const language = languageOf(text)
    return new Set(tokenise(normalise(text)).filter((word) => !isStopword(word, language)))
  })
  const counts = new Map<string, number>()
  for (const word of words.flatMap((own) => [...own])) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best: Statement | undefined
  let most = 0
  for (const [at, own] of words.entries()) {
    const shared = [...own].map((word) => (counts.get(word) as number) - 1).filter((others) => others > 0)
    const score = shared.reduce((sum, others) => sum + others, 0) / Math.sqrt(own.size)
    if (shared.length < MIN_SHARED_WORDS || score <= most) continue
    most = score
    best = statements[at]
  }
  return best
}

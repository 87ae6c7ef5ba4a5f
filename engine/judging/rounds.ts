import { advise, foundEmerging } from '../corrections/advice.ts'
import type { State } from '../state/state.ts'
import type { JudgeAnswer } from './answers.ts'
import { judgeOutcome } from './outcome.ts'
import { type JudgeQuestion, judgeQuestions } from './questions.ts'

/** What was founded brings new candidates for others. */
const ROUNDS = 2

/**
 * Asks a judge about everything that is open, as the server does over time: yields questions, takes the answers, and carries out what follows.
 * `answers`: all so far, which grow. `options`: see `judgeQuestions`. Changes the state in place.
 */
export function* judgeRounds(
  state: State,
  answers: JudgeAnswer[],
  options: { ofRead?: boolean } = {},
): Generator<JudgeQuestion[], void, JudgeAnswer[]> {
  for (let round = 0; round < ROUNDS; round++) {
    const questions = judgeQuestions(state, Number.POSITIVE_INFINITY, answers, options)
    if (questions.length > 0) answers.push(...(yield questions))
    const { askBack } = judgeOutcome(state, answers)
    if (askBack.length > 0) answers.push(...(yield askBack))
    const { joins, groups } = judgeOutcome(state, answers)
    if (joins.length + groups.length === 0) return
    advise(state, joins)
    foundEmerging(state, groups)
  }
}

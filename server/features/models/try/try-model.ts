import path from 'node:path'
import {
  describe,
  estimateTokens,
  groupedState,
  type JudgeAnswer,
  type JudgeQuestion,
  judgeQuestions,
  judgeRounds,
  questionBatches,
  revise,
  type SentenceEncoder,
  type State,
} from '@groundswell/engine/index.ts'
import type { CallModel } from '../language-model.ts'
import { readInstructions } from '../prompt.ts'
import { type JudgeCase, shownInsight, shownMessage } from '../tasks/joins/judge-case.ts'
import { writeQuestion } from '../tasks/joins/question.ts'
import { Verdicts } from '../tasks/joins/schema.ts'
import { readVerdicts } from '../tasks/joins/verdicts.ts'
import type { LabelledMessage } from './labelled.ts'
import { labelTruth, type Scores, scoreState } from './scores.ts'

/** What is about to be sent, as estimated. */
export type Estimate = { questions: number; calls: number; tokens: number }

/** How a model judged. Shares are percentages, null where nothing was asked; `tokens`: as the provider reported, 0 if it did not. */
export type Trial = {
  before: Scores
  after: Scores
  calls: number
  tokens: number
  /** replies that were not believed, as for a yes about a decoy */
  refused: number
  /** yeses about candidates that are right, and about those that are wrong */
  trueYes: number | null
  falseYes: number | null
}

/** Messages grouped by the engine alone, to try a model on. */
export type Prepared = { state: State; messages: readonly LabelledMessage[] }

/** Groups the messages of a set. */
export function prepareTrial(messages: readonly LabelledMessage[], encoder: SentenceEncoder | null): Prepared {
  const items = messages.map(({ label: _label, ...item }) => item)
  return { state: groupedState(items, encoder ? { encoder } : {}), messages }
}

/** What trying a model will take, for the questions that are known before the first answer. */
export function estimateTrial({ state }: Prepared): Estimate {
  const questions = judgeQuestions(state, Number.POSITIVE_INFINITY)
  const batches = questionBatches(questions)
  return { questions: questions.length, calls: batches.length, tokens: estimateTokens(batches) }
}

/** Asks a model everything that the engine would ask it about these messages, and compares the answers and the outcome with the labels. */
export async function tryModel(
  { state, messages }: Prepared,
  call: CallModel,
  { signal, onCall }: { signal: AbortSignal; onCall?: (calls: number) => void },
): Promise<Trial> {
  const instructions = await readInstructions(path.resolve(import.meta.dirname, '../tasks/joins'))
  const before = scoreState(state, messages)
  const count = { calls: 0, tokens: 0, refused: 0 }
  const rights = { asked: 0, yes: 0 }
  const wrongs = { asked: 0, yes: 0 }
  const askModel = async (batch: JudgeCase[]): Promise<boolean[][] | null> => {
    const { message, ...asked } = writeQuestion(batch)
    const { text, tokens } = await call({ instructions, message, schema: Verdicts }, signal)
    count.calls++
    count.tokens += tokens ?? 0
    onCall?.(count.calls)
    const verdicts = readVerdicts(text, asked)
    if (!verdicts) count.refused++
    return verdicts
  }
  const rounds = judgeRounds(state, [])
  for (let asked = rounds.next(); !asked.done; ) {
    const isSame = labelTruth(state, messages)
    const answers: JudgeAnswer[] = []
    for (const batch of questionBatches(asked.value)) {
      const cases = casesOf(state, batch)
      const verdicts = cases.length > 0 ? await askModel(cases) : []
      cases.forEach(({ of, candidates }, at) => {
        candidates.forEach(({ ref, score, isControl }, candidate) => {
          const yes = verdicts?.[at]?.[candidate] ?? null
          answers.push({ of: of.ref, candidate: ref, score, isControl, yes })
          if (yes === null) return
          const side = isSame(of.ref, ref) ? rights : wrongs
          side.asked++
          if (yes) side.yes++
        })
      })
    }
    asked = rounds.next(answers)
  }
  revise(state)
  return { before, after: scoreState(state, messages), ...count, trueYes: shareOf(rights), falseYes: shareOf(wrongs) }
}

/** The questions as they are sent, without what addresses models. */
function casesOf(state: State, questions: readonly JudgeQuestion[]): JudgeCase[] {
  const side = ({ ref, texts }: { ref: number | string; texts: readonly string[] }) => ({
    ref,
    statement: null,
    shown: typeof ref === 'number' ? shownInsight(describe(state, ref).name, texts) : shownMessage(texts[0] ?? ''),
  })
  return questions.flatMap(({ of, texts, candidates }) => {
    const one = {
      of: side({ ref: of, texts }),
      candidates: candidates
        .map((candidate) => ({ ...side(candidate), score: candidate.score, isControl: candidate.isControl }))
        .filter(({ shown }) => shown),
    }
    return one.of.shown && one.candidates.length > 0 ? [one] : []
  })
}

function shareOf({ asked, yes }: { asked: number; yes: number }): number | null {
  return asked > 0 ? (100 * yes) / asked : null
}

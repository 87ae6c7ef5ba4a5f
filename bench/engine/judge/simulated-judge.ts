import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import type { SentenceEncoder } from '@groundswell/engine/group.ts'
import { estimateRates, type JudgeAnswer, type JudgeRef } from '@groundswell/engine/judging/answers.ts'
import { estimateTokens, questionBatches } from '@groundswell/engine/judging/batches.ts'
import type { JudgeQuestion } from '@groundswell/engine/judging/questions.ts'
import { judgeRounds } from '@groundswell/engine/judging/rounds.ts'
import { itemIdOf, type State } from '@groundswell/engine/state/state.ts'
import { reviewedRun } from '../reading-runs.ts'
import { type Row, type StreamResult, stream } from '../stream.ts'

/** How often a simulated judge says yes where it is right, and where it is wrong: 0 to 1. Null: nobody is asked. */
export type Rates = { trueYes: number; falseYes: number }

/**
 * What a judge makes of a set. Percentages, but for counts; `f1`: B³ F1 of all insights, emerging ones included, and of regular ones alone (null
 * after a review).
 */
export type JudgeScores = {
  f1: number
  regularF1: number | null
  groupedPrecision: number
  inScope: number
  noise: number
  insights: number
  questions: number
  /** estimated, for 1,000 messages */
  tokens: number
  /** the share of false yeses that the engine estimated */
  estimated: number
}

/**
 * Streams a set and lets a judge that knows the labels, and errs at these rates, answer after each batch. Each candidate of a question is
 * an independent chance to err. `reviewed`: a simulated review of what was read follows.
 */
export function judgedStream(
  rows: Row[],
  seed: number,
  { rates, encoder, reviewed = false }: { rates: Rates | null; encoder: SentenceEncoder | null; reviewed?: boolean },
): JudgeScores {
  const labels = new Map(rows.map((row, i) => [row.id ?? `${i}`, row.label]))
  const random = seededRandom(seed)
  const answers: JudgeAnswer[] = []
  let questions = 0
  let tokens = 0
  const afterBatch = (state: State) => {
    if (!rates) return
    const rounds = judgeRounds(state, answers, { ofRead: true })
    for (let asked = rounds.next(); !asked.done; ) {
      questions += asked.value.length
      tokens += estimateTokens(questionBatches(asked.value))
      const knows = truth(state, labels)
      asked = rounds.next(asked.value.flatMap((one) => answer(one, knows, rates, random)))
    }
  }
  const result = stream(rows, seed, { ...(encoder ? { encoder } : {}), afterBatch })
  return {
    ...scoresOf(
      reviewed && encoder ? { ...result, ...reviewedRun(rows, result, { encoder, seed }), f1: null } : result,
    ),
    questions,
    tokens: (1_000 * tokens) / rows.length,
    estimated: 100 * estimateRates(answers).falseYes,
  }
}

function answer(
  { of, candidates }: JudgeQuestion,
  isSame: (a: JudgeRef, b: JudgeRef) => boolean,
  { trueYes, falseYes }: Rates,
  random: () => number,
): JudgeAnswer[] {
  return candidates.map(({ ref, score, isControl }) => ({
    of,
    candidate: ref,
    score,
    isControl,
    yes: random() < (isSame(of, ref) ? trueYes : falseYes),
  }))
}

/** Whether two have the same label, as the state is now; an issue has the most frequent one of its messages. */
function truth(state: State, labels: ReadonlyMap<string, string | null>): (a: JudgeRef, b: JudgeRef) => boolean {
  const subjects = new Map<number, string | null>()
  const labelOf = (statementId: string) => labels.get(itemIdOf(statementId)) ?? null
  for (const { issueId, statementIds } of issues(state)) {
    const counts = new Map<string | null, number>()
    for (const id of statementIds) counts.set(labelOf(id), (counts.get(labelOf(id)) ?? 0) + 1)
    subjects.set(issueId, [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null)
  }
  const subjectOf = (ref: JudgeRef) => (typeof ref === 'number' ? (subjects.get(ref) ?? null) : labelOf(ref))
  return (a, b) => subjectOf(a) !== null && subjectOf(a) === subjectOf(b)
}

function scoresOf(
  result: Omit<StreamResult, 'f1'> & { f1: number | null },
): Omit<JudgeScores, 'questions' | 'tokens' | 'estimated'> {
  return {
    f1: result.shownF1,
    regularF1: result.f1,
    groupedPrecision: result.groupedPrecision ?? 0,
    inScope: result.inScope ?? 0,
    noise: result.noise ?? 0,
    insights: result.insights,
  }
}

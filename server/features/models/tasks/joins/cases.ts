import { type JudgeAnswer, type JudgeQuestion, questionBatches } from '@groundswell/engine/index.ts'
import { holdGroups, type NamedStatement, readAnswers, readJudgement, reuseAnswers } from '../../../insights/index.ts'
import { scanBacklog } from '../../scan.ts'
import type { Backlog, Found, Question, TaskRun } from '../../task.ts'
import { applyReply, storeGiven } from './apply.ts'
import { type Candidate, type JudgeCase, prepareCases } from './judge-case.ts'
import { writeQuestion } from './question.ts'
import { settle } from './settle.ts'

/** The number of questions that one run takes up. */
const QUESTIONS_PER_RUN = 40

/**
 * What to ask about messages in no insight, in batches: first what has to be asked back, then those with the most similar candidates.
 * Earlier answers about the same words are applied, and what may not be shown to the model is settled, without a call.
 */
export async function find(run: TaskRun): Promise<Found<JudgeCase[]>> {
  const { services, workspaceId } = run
  for (;;) {
    const { version, outcome, questions } = await readJudgement(
      services,
      workspaceId,
      QUESTIONS_PER_RUN,
      await answersOf(run),
    )
    const all = together([...outcome.askBack, ...questions]).slice(0, QUESTIONS_PER_RUN)
    const cases = await prepare(run, all)
    if (cases === 'reused') continue
    const byOf = new Map(cases.map((one) => [one.of.ref, one]))
    const batches = questionBatches(all).map((batch) => batch.flatMap(({ of }) => byOf.get(of) ?? []))
    return { cases: batches.filter((batch) => batch.length > 0), more: all.length === QUESTIONS_PER_RUN, version }
  }
}

/** When all is answered, what follows is stored. What has to be asked back then is left for the next run. */
export const backlog: Backlog<JudgeCase[]> = {
  ...scanBacklog('joins'),
  async finish(run, version) {
    const { outcome } = await readJudgement(run.services, run.workspaceId, 0, await answersOf(run))
    await settle(run, outcome)
    if (outcome.askBack.length === 0) await scanBacklog('joins').finish(run, version)
  },
}

/** A question about a batch of cases, whose reply is applied to the same cases. */
export async function ask(run: TaskRun, batch: JudgeCase[]): Promise<Question<JudgeCase[]> | null> {
  const { message, ...asked } = writeQuestion(batch)
  return { message, apply: (reply) => applyReply(run, batch, asked, reply) }
}

function answersOf({ workspaceId, askedWith, inside }: TaskRun): Promise<JudgeAnswer[]> {
  return inside((tx) => readAnswers(tx, workspaceId, askedWith))
}

/** The cases that can be shown, after the others are settled; `reused`: earlier answers apply, so that there are other questions. */
async function prepare(run: TaskRun, questions: readonly JudgeQuestion[]): Promise<JudgeCase[] | 'reused'> {
  const { workspaceId, inside } = run
  const cases = await inside(async (tx) => {
    await holdGroups(tx, workspaceId)
    const found = await prepareCases(tx, workspaceId, questions)
    const statements = found.flatMap(({ of, candidates }) => [of, ...candidates]).flatMap((one) => one.statement ?? [])
    return (await reuseAnswers(tx, workspaceId, distinct(statements))) > 0 ? 'reused' : found
  })
  if (cases === 'reused') return cases
  const withheld = cases.flatMap((one) => {
    const candidates = one.of.shown ? one.candidates.filter(({ shown }) => !shown) : one.candidates
    return candidates.length > 0 ? [{ of: one.of, candidates }] : []
  })
  if (withheld.length > 0) await storeGiven(run, withheld, () => null)
  return cases.flatMap(({ of, candidates }) => {
    const shown = candidates.filter((one) => one.shown)
    return of.shown && shown.some(isReal) ? [{ of, candidates: shown }] : []
  })
}

/** One question about each, with all of its candidates. */
function together(questions: readonly JudgeQuestion[]): JudgeQuestion[] {
  const byOf = new Map<JudgeQuestion['of'], JudgeQuestion>()
  for (const question of questions) {
    const known = byOf.get(question.of)
    const refs = new Set(known?.candidates.map(({ ref }) => ref))
    const more = question.candidates.filter(({ ref }) => !refs.has(ref))
    byOf.set(question.of, known ? { ...known, candidates: [...known.candidates, ...more] } : question)
  }
  return [...byOf.values()]
}

function isReal({ isControl }: Candidate): boolean {
  return !isControl
}

function distinct(statements: readonly NamedStatement[]): NamedStatement[] {
  return [...new Map(statements.map((one) => [`${one.itemId}:${one.number}`, one])).values()]
}

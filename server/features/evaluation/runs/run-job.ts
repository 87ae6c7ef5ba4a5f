import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import { z } from 'zod'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { judgeRun } from '../evaluators/grade-run.ts'
import { openJudges } from '../evaluators/open-judges.ts'
import { Answerer } from '../generators/answerer.ts'
import { answerCell, Cell, callsModel, cellNames, reasonOf, runOf, usesEncoder } from '../generators/cell.ts'
import { Generator } from '../generators/generator.ts'
import type { Window } from '../generators/window.ts'
import { computeOf } from './compute.ts'
import { isTriedAgain, RunStopped, runMeter } from './run-meter.ts'
import {
  findAnswer,
  findRun,
  insertAnswer,
  insertFailure,
  insertGrade,
  lockRun,
  nextUnanswered,
  nextUngraded,
  type RunState,
  readAnswers,
  readFailure,
  readWindowMessages,
  readWindows,
  type StoredRun,
  setRunState,
} from './run-store.ts'
import { surroundingsOf } from './surroundings.ts'

/** After this time a job sends the next one, so that it ends before it could be given to another worker. */
const MAX_RUN_MS = 5 * 60_000

const runJob = defineJob({
  name: 'evaluation-run',
  schema: z.object({ workspaceId: z.uuid(), runId: z.uuid() }),
  serial: true,
  tries: 5,
  pauses: [5, 20, 60],
})

const Generators = z.array(Generator)

/** The generators of a stored run. */
export const generatorsOf = ({ generators }: Pick<StoredRun, 'generators'>): Generator[] => Generators.parse(generators)

/** Has a run continued in the background, in the transaction that changed it. */
export async function requestRun(services: Services, tx: Tx, workspaceId: string, runId: string): Promise<void> {
  await services.queue.send(runJob, { workspaceId, runId }, { tx, key: workspaceId })
}

/** Answers and grades the windows of runs, one run at a time in each workspace. What is finished is stored, so that a run resumes after a kill. */
export function evaluationJobs(services: Services): JobWorker[] {
  return [
    jobWorker(runJob, async ({ workspaceId, runId }, { signal, lastAttempt, log }) => {
      const ends = services.now().getTime() + MAX_RUN_MS
      try {
        while (await takeStep(services, workspaceId, runId, { signal, lastAttempt })) {
          if (services.now().getTime() < ends) continue
          await services.queue.send(runJob, { workspaceId, runId }, { key: workspaceId })
          return
        }
      } catch (error) {
        if (lastAttempt && !signal.aborted) {
          await endStep(services, workspaceId, runId, 'It failed repeatedly. The server log says why.')
          log.error({ run: runId, err: (error as Error).message }, 'an evaluation run failed')
        }
        throw error
      }
    }),
  ]
}

/** `lastAttempt`: a failure of a model ends the run, with the reason; else it is thrown, and the queue tries again. */
type Attempt = { signal: AbortSignal; lastAttempt: boolean }

/** Answers the next window, or grades the next answer. False: nothing is left to do, or the run was cancelled. */
export async function takeStep(
  services: Services,
  workspaceId: string,
  runId: string,
  attempt: Attempt,
): Promise<boolean> {
  attempt.signal.throwIfAborted()
  const run = await inWorkspace(services.db, workspaceId, (tx) => findRun(tx, workspaceId, { id: runId }))
  if (run?.state === 'answering') return answerWindow(services, workspaceId, run, attempt)
  if (run?.state === 'grading') return gradeAnswer(services, workspaceId, run, attempt)
  return false
}

async function answerWindow(
  services: Services,
  workspaceId: string,
  run: StoredRun,
  { signal, lastAttempt }: Attempt,
): Promise<boolean> {
  const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const next = await inOwn((tx) => nextUnanswered(tx, workspaceId, run.id))
  if (!next) {
    const failure = await inOwn((tx) => readFailure(tx, workspaceId, run.id))
    const failed = `${counted(run.failures, 'answer')} failed. The last one: ${failure}`
    await endStep(services, workspaceId, run.id, failure === null ? null : failed)
    return false
  }
  const window = await inOwn((tx) => readWindow(tx, workspaceId, run.id, next.number))
  // Emptied meanwhile.
  if (!window) return true
  const surroundings = surroundingsOf(services, signal)
  const generators = generatorsOf(run)
  const keyOf = await cellNames(generators, surroundings)
  const meter = runMeter(services, workspaceId, run, { lastAttempt })
  const answerer = new Answerer(surroundings, meter)
  /** False: the run was cancelled. */
  const store = (insert: (tx: Tx) => Promise<void>) =>
    inOwn(async (tx) => {
      if ((await lockRun(tx, workspaceId, run.id)) !== 'answering') return false
      await insert(tx)
      return true
    })
  let prepared = false
  for (const [at, generator] of generators.entries()) {
    if (next.answered.includes(at)) continue
    signal.throwIfAborted()
    const place = { number: next.number, generator: at }
    const key = keyOf(generator, window, run.repeats)
    const known = await inOwn((tx) => findAnswer(tx, workspaceId, key))
    const kept = known ? Cell.safeParse(known.answer) : null
    const spent = meter.spent
    let insert: (tx: Tx) => Promise<void>
    try {
      if (!kept?.success && usesEncoder(generator) && !prepared) {
        await answerer.prepare([window])
        prepared = true
      }
      const answer = kept?.success
        ? kept.data
        : await answerCell(answerer, meter, { generator, window, repeats: run.repeats, timed: true })
      // What another run has paid for is not counted again.
      const tokens = meter.spent - spent
      insert = (tx) => insertAnswer(tx, workspaceId, run.id, { ...place, key, answer, tokens })
    } catch (error) {
      if (error instanceof RunStopped) return false
      const reason = reasonOf(error)
      if (reason === null || isTriedAgain(error, { lastAttempt })) throw error
      if (!reason.continues) {
        await endStep(services, workspaceId, run.id, reason.text)
        return false
      }
      const tokens = meter.spent - spent
      insert = (tx) => insertFailure(tx, workspaceId, run.id, { ...place, reason: reason.text, tokens })
    }
    if (!(await store(insert))) return false
    // A model may take minutes: the job looks at the time.
    if (callsModel(generator)) return true
  }
  return true
}

async function gradeAnswer(
  services: Services,
  workspaceId: string,
  run: StoredRun,
  { signal, lastAttempt }: Attempt,
): Promise<boolean> {
  const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const next = await inOwn((tx) => nextUngraded(tx, workspaceId, run.id))
  if (!next) {
    await endStep(services, workspaceId, run.id, null)
    return false
  }
  const { number, generator } = next
  const window = await inOwn((tx) => readWindow(tx, workspaceId, run.id, number))
  const [given] = await inOwn((tx) => readAnswers(tx, workspaceId, run.id, next))
  if (!window || !given) return true
  const configuration = generatorsOf(run)[generator] as Generator
  const answered = runOf({ generator: configuration, window }, Cell.parse(given.answer))
  const session = await computeOf(services).grade(answered)
  const meter = runMeter(services, workspaceId, run, { lastAttempt })
  let judged: Awaited<ReturnType<typeof judgeRun>>
  try {
    const judges = await openJudges(run.judges, surroundingsOf(services, signal), meter)
    judged = await judgeRun(answered, { judges, repeats: run.judgeRepeats, signal })
  } catch (error) {
    if (error instanceof RunStopped) return false
    const reason = reasonOf(error)
    if (reason === null || isTriedAgain(error, { lastAttempt })) throw error
    await endStep(services, workspaceId, run.id, reason.text)
    return false
  }
  const [page] = session.response_evaluations
  const grade = {
    evaluators: [...session.evaluators, ...judged.evaluators],
    notes: page?.notes,
    issues: [...(page?.issues ?? []), ...judged.evaluations.flatMap(({ issues }) => issues)],
    rubrics_responses_evaluations: [
      ...(page?.rubrics_responses_evaluations ?? []),
      ...judged.evaluations.map(({ issues: _issues, ...evaluation }) => evaluation),
    ],
    ...(run.judges.length > 0 ? { judged: judged.judged } : {}),
  }
  return inOwn(async (tx) => {
    if ((await lockRun(tx, workspaceId, run.id)) !== 'grading') return false
    await insertGrade(tx, workspaceId, run.id, { number, generator, grade, tokens: meter.spent })
    return true
  })
}

/** A window with its messages; null when it was emptied. */
async function readWindow(tx: Tx, workspaceId: string, runId: string, number: number): Promise<Window | null> {
  const window = (await readWindows(tx, workspaceId, runId)).find((one) => one.number === number)
  const messages = (await readWindowMessages(tx, workspaceId, runId, number)).get(number)
  if (!window || window.removed || !messages) return null
  const { source_id, datetime_from, datetime_to } = window
  return { source_id, datetime_from, datetime_to, messages }
}

/** Ends what a run is doing, unless it was cancelled. `reason`: why it is incomplete; null: it is not. */
async function endStep(services: Services, workspaceId: string, runId: string, reason: string | null): Promise<void> {
  const endedAt = services.now()
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const state = await lockRun(tx, workspaceId, runId)
    const next: Partial<Record<RunState, RunState>> =
      reason === null ? { answering: 'answered', grading: 'graded' } : { answering: 'failed', grading: 'answered' }
    const ended = state === null ? undefined : next[state]
    if (ended) await setRunState(tx, workspaceId, runId, { state: ended, reason, endedAt })
  })
}

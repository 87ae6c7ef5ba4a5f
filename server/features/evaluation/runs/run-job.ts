import { z } from 'zod'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { Answerer } from '../generators/answerer.ts'
import { answerCell, Cell, cellNames, reasonOf, runOf, usesEncoder } from '../generators/cell.ts'
import { Generator } from '../generators/generator.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import type { Window } from '../generators/window.ts'
import { computeOf } from './compute.ts'
import {
  findAnswer,
  findRun,
  insertAnswer,
  insertGrade,
  lockRun,
  nextUnanswered,
  nextUngraded,
  type RunState,
  readAnswers,
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
        while (await takeStep(services, workspaceId, runId, signal)) {
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

/** Answers the next window, or grades the next answer. False: nothing is left to do, or the run was cancelled. */
export async function takeStep(
  services: Services,
  workspaceId: string,
  runId: string,
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted()
  const run = await inWorkspace(services.db, workspaceId, (tx) => findRun(tx, workspaceId, { id: runId }))
  if (run?.state === 'answering') return answerWindow(services, workspaceId, run, signal)
  if (run?.state === 'grading') return gradeAnswer(services, workspaceId, run)
  return false
}

async function answerWindow(
  services: Services,
  workspaceId: string,
  run: StoredRun,
  signal: AbortSignal,
): Promise<boolean> {
  const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const next = await inOwn((tx) => nextUnanswered(tx, workspaceId, run.id))
  if (!next) {
    await endStep(services, workspaceId, run.id, null)
    return false
  }
  const window = await inOwn((tx) => readWindow(tx, workspaceId, run.id, next.number))
  // Emptied meanwhile.
  if (!window) return true
  const surroundings = surroundingsOf(services, signal)
  const generators = generatorsOf(run)
  const keyOf = await cellNames(generators, surroundings)
  const meter = new TokenMeter(null)
  const answerer = new Answerer(surroundings, meter)
  let prepared = false
  for (const [at, generator] of generators.entries()) {
    if (next.answered.includes(at)) continue
    signal.throwIfAborted()
    const key = keyOf(generator, window, run.repeats)
    const known = await inOwn((tx) => findAnswer(tx, workspaceId, key))
    const kept = known ? Cell.safeParse(known.answer) : null
    let cell = kept?.success ? kept.data : null
    try {
      if (!cell && usesEncoder(generator) && !prepared) {
        await answerer.prepare([window])
        prepared = true
      }
      cell ??= await answerCell(answerer, meter, { generator, window, repeats: run.repeats })
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === null) throw error
      await endStep(services, workspaceId, run.id, reason.text)
      return false
    }
    // What another run has paid for is not counted again.
    const tokens = kept?.success ? 0 : (cell.usage?.tokens ?? 0)
    const answer = cell
    const goesOn = await inOwn(async (tx) => {
      if ((await lockRun(tx, workspaceId, run.id)) !== 'answering') return false
      await insertAnswer(tx, workspaceId, run.id, { number: next.number, generator: at, key, answer, tokens })
      return true
    })
    if (!goesOn) return false
  }
  return true
}

async function gradeAnswer(services: Services, workspaceId: string, run: StoredRun): Promise<boolean> {
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
  const session = await computeOf(services).grade(runOf({ generator: configuration, window }, Cell.parse(given.answer)))
  const [page] = session.response_evaluations
  const { evaluators } = session
  const { notes, issues, rubrics_responses_evaluations } = page ?? {}
  const grade = { evaluators, notes, issues, rubrics_responses_evaluations }
  return inOwn(async (tx) => {
    if ((await lockRun(tx, workspaceId, run.id)) !== 'grading') return false
    await insertGrade(tx, workspaceId, run.id, { number, generator, grade })
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

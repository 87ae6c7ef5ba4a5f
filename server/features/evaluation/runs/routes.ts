import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import {
  cancelEvaluationRun,
  deleteEvaluationRun,
  type EvaluationRun,
  estimateEvaluationRun,
  getEvaluationOptions,
  gradeEvaluationRun,
  listEvaluationRuns,
  MAX_RUNS,
  resumeEvaluationRun,
  startEvaluationRun,
} from '@groundswell/contract/evaluation/runs.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { removeScoresIn } from '../../evals/index.ts'
import { cellNames } from '../generators/cell.ts'
import { offeredGenerators } from './offered.ts'
import { sessionsFolder, viewRun } from './own-runs.ts'
import { planRun } from './plan.ts'
import { requestRun } from './run-job.ts'
import {
  deleteGrades,
  deleteRun,
  findRun,
  insertRun,
  knownAnswers,
  lockRun,
  readFeedbackDays,
  readRuns,
  type StoredRun,
  setRunState,
} from './run-store.ts'
import { surroundingsOf } from './surroundings.ts'

/** The calls about evaluation runs of a workspace, for administrators. */
export function evaluationRunRoutes(services: Services): Handler[] {
  /** Changes a run while it is locked, and returns it as it then is. */
  const change = (
    workspaceId: string,
    id: string,
    work: (tx: Tx, run: StoredRun) => Promise<void>,
  ): Promise<EvaluationRun> =>
    inWorkspace(services.db, workspaceId, async (tx) => {
      await lockRun(tx, workspaceId, id)
      await work(tx, await runIn(tx, workspaceId, id))
      return viewRun(await runIn(tx, workspaceId, id))
    })

  return [
    handle(listEvaluationRuns, async ({ caller: { workspaceId } }) => ({
      runs: (await inWorkspace(services.db, workspaceId, (tx) => readRuns(tx, workspaceId))).map(viewRun),
    })),

    handle(getEvaluationOptions, async ({ caller: { workspaceId } }) => ({
      offered: offeredGenerators(services.config).map(({ generator: _generator, ...shown }) => shown),
      ...(await inWorkspace(services.db, workspaceId, (tx) => readFeedbackDays(tx, workspaceId))),
    })),

    handle(estimateEvaluationRun, async ({ caller: { workspaceId }, body, request }) => {
      const { generators, windows } = await planRun(services, workspaceId, body)
      const nameOf = await cellNames(generators, surroundingsOf(services, request.signal))
      const keys = generators.flatMap((one) => windows.map((window) => nameOf(one, window, body.repeats)))
      const known = await inWorkspace(services.db, workspaceId, (tx) => knownAnswers(tx, workspaceId, keys))
      return {
        messages: windows.reduce((sum, { messages }) => sum + messages.length, 0),
        windows: windows.length,
        answers: keys.length,
        made: keys.filter((key) => known.has(key)).length,
        // The generators that are offered call no model.
        calls: 0,
        tokens: 0,
      }
    }),

    handle(startEvaluationRun, async ({ caller: { workspaceId, name, email }, body }) => {
      const { generators, windows } = await planRun(services, workspaceId, body)
      const id = randomUUID()
      const run = { id, name: body.name, repeats: body.repeats, generators }
      const started = { startedBy: name || email, startedAt: services.now() }
      return inWorkspace(services.db, workspaceId, async (tx) => {
        if ((await readRuns(tx, workspaceId)).length >= MAX_RUNS)
          throw new ContractError('conflict', `There are ${MAX_RUNS} runs already. Delete one first`)
        if (!(await insertRun(tx, workspaceId, { ...run, ...started }, windows)))
          throw new ContractError('conflict', `There is a run named “${body.name}” already`)
        await requestRun(services, tx, workspaceId, id)
        return viewRun(await runIn(tx, workspaceId, id))
      })
    }),

    handle(cancelEvaluationRun, ({ caller: { workspaceId }, params: { run_id: id } }) =>
      change(workspaceId, id, async (tx, { state }) => {
        const endedAt = services.now()
        if (state === 'answering') await setRunState(tx, workspaceId, id, { state: 'cancelled', endedAt })
        if (state === 'grading') {
          const reason = 'Grading was cancelled.'
          await setRunState(tx, workspaceId, id, { state: 'answered', reason, endedAt })
        }
      }),
    ),

    handle(resumeEvaluationRun, ({ caller: { workspaceId }, params: { run_id: id } }) =>
      change(workspaceId, id, async (tx, run) => {
        if (run.state !== 'cancelled' && run.state !== 'failed') return
        await setRunState(tx, workspaceId, id, { state: 'answering', endedAt: null })
        await requestRun(services, tx, workspaceId, id)
      }),
    ),

    handle(gradeEvaluationRun, ({ caller: { workspaceId }, params: { run_id: id } }) =>
      change(workspaceId, id, async (tx, { state, answers }) => {
        if (state === 'answering' || state === 'grading')
          throw new ContractError('conflict', 'Wait until this run has ended, or cancel it first')
        if (answers === 0) throw new ContractError('conflict', 'This run has no answers to grade')
        await deleteGrades(tx, workspaceId, id)
        await setRunState(tx, workspaceId, id, { state: 'grading', endedAt: null })
        await requestRun(services, tx, workspaceId, id)
      }),
    ),

    handle(deleteEvaluationRun, ({ caller: { workspaceId }, params: { run_id: id } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const run = await runIn(tx, workspaceId, id)
        await deleteRun(tx, workspaceId, id)
        await removeScoresIn(tx, workspaceId, sessionsFolder(run))
        return { deleted: true }
      }),
    ),
  ]
}

async function runIn(tx: Tx, workspaceId: string, id: string): Promise<StoredRun> {
  const run = await findRun(tx, workspaceId, { id })
  if (!run) throw new ContractError('not_found', 'There is no such evaluation run')
  return run
}

import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import {
  cancelEvaluationRun,
  deleteEvaluationRun,
  type EvaluationRun,
  estimateEvaluationGrading,
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
import { hostOf } from '../../models/index.ts'
import { callsModel } from '../generators/cell.ts'
import { checkJudges, estimateGrading, estimateRun } from './estimate.ts'
import { offeredGenerators } from './offered.ts'
import { sessionsFolder, viewRun } from './own-runs.ts'
import { planRun } from './plan.ts'
import { requestRun } from './run-job.ts'
import {
  deleteFailures,
  deleteGrades,
  deleteRun,
  findRun,
  insertRun,
  lockRun,
  readFeedbackDays,
  readRuns,
  readSources,
  type StoredRun,
  setJudges,
  setRunState,
} from './run-store.ts'

/** The calls about evaluation runs of a workspace, for administrators. */
export function evaluationRunRoutes(services: Services): Handler[] {
  const { llm } = services.config
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
      model: llm ? { name: llm.model, where: hostOf(llm) } : null,
      ...(await inWorkspace(services.db, workspaceId, async (tx) => ({
        ...(await readFeedbackDays(tx, workspaceId)),
        source_ids: await readSources(tx, workspaceId),
      }))),
    })),

    handle(estimateEvaluationRun, ({ caller: { workspaceId }, body, request }) =>
      estimateRun(services, workspaceId, body, request.signal),
    ),

    handle(startEvaluationRun, async ({ caller: { workspaceId, name, email }, body }) => {
      const { generators, windows } = await planRun(services, workspaceId, body)
      if (generators.some(callsModel)) refuseUnsent(body)
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
        await deleteFailures(tx, workspaceId, id)
        await setRunState(tx, workspaceId, id, { state: 'answering', endedAt: null })
        await requestRun(services, tx, workspaceId, id)
      }),
    ),

    handle(estimateEvaluationGrading, async ({ caller: { workspaceId }, params: { run_id: id }, body, request }) => {
      const run = await inWorkspace(services.db, workspaceId, (tx) => runIn(tx, workspaceId, id))
      return estimateGrading(services, workspaceId, run, body, request.signal)
    }),

    handle(gradeEvaluationRun, ({ caller: { workspaceId }, params: { run_id: id }, body }) =>
      change(workspaceId, id, async (tx, { state, answers, ...run }) => {
        const { judges, repeats: judgeRepeats } = body
        checkJudges(services, judges)
        if (judges.length > 0) refuseUnsent(body)
        if (state === 'answering' || state === 'grading')
          throw new ContractError('conflict', 'Wait until this run has ended, or cancel it first')
        if (answers === 0) throw new ContractError('conflict', 'This run has no answers to grade')
        // What judges have said is not paid for again.
        const isSame = JSON.stringify([judges, judgeRepeats]) === JSON.stringify([run.judges, run.judgeRepeats])
        if (state === 'graded' || !isSame) await deleteGrades(tx, workspaceId, id)
        await setJudges(tx, workspaceId, id, { judges, judgeRepeats })
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

/** Throws `invalid_input` unless the person agrees that messages are sent. */
function refuseUnsent({ send }: { send: boolean }): void {
  const why = 'must be true: messages are sent to the language model'
  if (!send) throw new ContractError('invalid_input', `“send” ${why}`, { send: why })
}

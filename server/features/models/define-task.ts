import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import { BudgetExhausted, type ModelProvider } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import type { AskedWith } from '../insights/index.ts'
import { type CallModel, maxTokensOf, openModel, ProviderMissing } from './language-model.ts'
import { readInstructions } from './prompt.ts'
import { languageModelProvider } from './provider.ts'
import type { ModelTask, RunOptions, RunOutcome, TaskDefinition, TaskRun } from './task.ts'

/** A run stops after this long, well within the time limit of a job. */
const RUN_MS = 5 * 60_000
/** After this many rejected requests in a row the cause is not the cases, and all calls pause. */
const MAX_REJECTIONS = 3

/** Makes a task that jobs can run: all tasks request, pay, fail and resume in the same way. */
export function defineTask<Case>(definition: TaskDefinition<Case>): ModelTask {
  const { promptVersion, backlog } = definition
  const askedWith = ({ model }: LlmSettings): AskedWith => ({ model, promptVersion })
  return {
    promptVersion,
    isDue: (tx, workspaceId, settings, now) => backlog.isDue(tx, workspaceId, askedWith(settings), now),
    run: (services, settings, workspaceId, options) => {
      const inside: TaskRun['inside'] = (work) => inWorkspace(services.db, workspaceId, work)
      const run: TaskRun = { services, workspaceId, askedWith: askedWith(settings), inside }
      return runTask(definition, run, settings, options)
    },
  }
}

/**
 * Asks the model about the cases of one workspace. Throws what the queue is to retry: a rate limit, and an unavailable model
 * before the last attempt. Every other failure is settled here, and what the engine decided stays.
 */
async function runTask<Case>(
  task: TaskDefinition<Case>,
  run: TaskRun,
  settings: LlmSettings,
  { signal, lastAttempt }: RunOptions,
): Promise<RunOutcome> {
  const outcome: RunOutcome = { calls: 0, more: false }
  const provider = languageModelProvider(run.services, settings)
  const call = await openUnlessPaused(provider, run.services, settings)
  if (!call) return outcome
  const instructions = await readInstructions(task.folder)
  const endsAt = performance.now() + RUN_MS
  const found = await task.find(run)
  const queue = [...found.cases]
  let useful = 0
  let rejections = 0
  while (queue.length > 0) {
    signal.throwIfAborted()
    if (outcome.calls === task.maxCallsPerRun || performance.now() > endsAt) {
      if (useful === 0) await task.backlog.postpone(run, null, 'useless')
      return { ...outcome, more: useful > 0 }
    }
    const one = queue.shift() as Case
    const question = await task.prepare(run, one)
    if (!question) continue
    if (await provider.isPaused()) return outcome
    try {
      const { schema, maxOutputTokens } = task
      const prompt = { instructions, message: question.message, schema, maxOutputTokens }
      const maxTokens = maxTokensOf(prompt)
      const expense = { workspaceId: run.workspaceId, maxTokens, share: task.budgetShare }
      const { result, tokens } = await provider.spend(expense, async (report) => {
        const reply = await call(prompt, signal)
        if (reply.tokens !== null) report(reply.tokens)
        return reply
      })
      outcome.calls++
      rejections = 0
      await provider.endOutage()
      const { useful: isUseful, followUps = [] } = await question.apply({ text: result.text, tokens })
      if (isUseful) useful++
      queue.unshift(...followUps)
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'rejected') rejections++
      const pause = rejections >= MAX_REJECTIONS
      if ((await settleError(error, { task, run, one, provider, lastAttempt, pause })) === 'stop') return outcome
    }
  }
  if (found.more) return { ...outcome, more: true }
  await task.backlog.finish(run, found.version)
  return outcome
}

type Failed<Case> = {
  task: TaskDefinition<Case>
  run: TaskRun
  one: Case
  provider: ModelProvider
  lastAttempt: boolean
  pause: boolean
}

/** Whether the run continues with the next case. Rethrows what the queue is to retry, and what is not about the model. */
async function settleError<Case>(
  error: unknown,
  { task, run, one, provider, lastAttempt, pause }: Failed<Case>,
): Promise<'next' | 'stop'> {
  const { backlog } = task
  if (error instanceof BudgetExhausted) {
    await backlog.postpone(run, one, 'budget')
    return 'stop'
  }
  if (!(error instanceof ModelFailure)) throw error
  const { kind } = error
  const isFinal = kind === 'rejected' || (kind === 'unavailable' && lastAttempt)
  const next = isFinal ? await backlog.postpone(run, one, kind) : 'stop'
  await provider.settleFailure(error, { lastAttempt, pause })
  return kind === 'rejected' && !pause ? next : 'stop'
}

/** The model; null while it is paused, and when its package is not installed, which is reported as an outage. */
async function openUnlessPaused(
  provider: ModelProvider,
  services: Services,
  settings: LlmSettings,
): Promise<CallModel | null> {
  if (await provider.isPaused()) return null
  try {
    return await openModel(settings, { now: services.now })
  } catch (error) {
    if (!(error instanceof ProviderMissing)) throw error
    await provider.reportOutage(new ModelFailure('auth', error.message))
    return null
  }
}

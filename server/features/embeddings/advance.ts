import { inWorkspace } from '../../platform/db/tenant.ts'
import { ModelFailure } from '../../platform/model-provider/failure.ts'
import { BudgetExhausted } from '../../platform/model-provider/provider.ts'
import type { Services } from '../../platform/services.ts'
import type { InsightHooks } from '../insights/index.ts'
import type { VectorsStored } from './fill.ts'
import { gatherVectors } from './gather.ts'
import { isBuiltin } from './models/builtin-embedder.ts'
import { modelOf, nameOfSpace, type UsableModel } from './models/embedder.ts'
import { ModelChanged } from './models/offered-embedder.ts'
import { usableModels } from './models/usable-models.ts'
import { applySwitch, failSwitch, prepareSwitch } from './run-switch.ts'
import * as store from './store.ts'
import { moveSwitch, readOpen, type SwitchRow } from './switch-store.ts'

/** `lastAttempt`: the queue will not retry this run. */
export type AdvanceOptions = {
  signal: AbortSignal
  lastAttempt: boolean
  runMs?: number
  /** Called in the transactions that store vectors of the built-in encoder. */
  stored?: VectorsStored | undefined
}

/** A run stops after this long, well within the time limit of a job. */
const RUN_MS = 8 * 60_000

/**
 * Computes the missing vectors of one workspace, and takes a switch as far as it goes without a person. `more`: the run stopped
 * although there is more to do. Throws what the queue is to retry; every other failure is settled here, and grouping continues
 * by words.
 */
export async function advance(
  services: Services,
  workspaceId: string,
  hooks: InsightHooks,
  { signal, lastAttempt, runMs = RUN_MS, stored }: AdvanceOptions,
): Promise<{ more: boolean }> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const endsAt = performance.now() + runMs
  const models = await usableModels(services)
  const { choice, open } = await inside(async (tx) => ({
    choice: (await store.readChoice(tx, workspaceId)) ?? '',
    open: await readOpen(tx, workspaceId),
  }))
  const switchWaits = open !== null && open.state !== 'ready'
  const wanted = switchWaits ? open.toSpace : choice
  const model = models.find(({ space }) => space === wanted)
  if (switchWaits && wanted !== '' && !model) {
    await failSwitch(services, workspaceId, open, whyNotOffered(wanted, models))
    return { more: false }
  }
  if (model) {
    const gathered = await gather(services, model, workspaceId, {
      signal,
      endsAt,
      lastAttempt,
      stored: isBuiltin(model.space) ? stored : undefined,
    })
    if (gathered === 'model changed') return { more: switchWaits }
    // A switch that a person has approved does not wait for the last few vectors.
    if (gathered === 'incomplete' && open?.state !== 'applying') {
      return { more: performance.now() > endsAt && !(await model.outages.isPaused()) }
    }
  }
  if (!switchWaits) return { more: false }
  try {
    return await advanceSwitch(services, workspaceId, open, hooks)
  } catch (error) {
    if (!lastAttempt) throw error
    services.log.error({ workspace: workspaceId, err: (error as Error).message }, 'the groups could not be rebuilt')
    await failSwitch(services, workspaceId, open, 'The groups could not be computed; see the server log.')
    return { more: false }
  }
}

function whyNotOffered(space: string, models: readonly UsableModel[]): string {
  const model = modelOf(space)
  return models.some((one) => nameOfSpace(one.space) === nameOfSpace(space))
    ? `The name ${model} now refers to another model: prepare the switch again.`
    : `The server no longer offers ${model}.`
}

async function gather(
  services: Services,
  model: UsableModel,
  workspaceId: string,
  {
    lastAttempt,
    ...options
  }: { signal: AbortSignal; endsAt: number; lastAttempt: boolean; stored: VectorsStored | undefined },
): Promise<'complete' | 'incomplete' | 'model changed'> {
  try {
    return (await gatherVectors(services, model, workspaceId, options)) ? 'complete' : 'incomplete'
  } catch (error) {
    if (error instanceof ModelChanged) return 'model changed'
    if (error instanceof BudgetExhausted) return 'incomplete'
    if (!(error instanceof ModelFailure)) throw error
    await model.outages.settleFailure(error, { lastAttempt })
    return 'incomplete'
  }
}

/** Takes one step, so that the next run sees what people do meanwhile. */
async function advanceSwitch(
  services: Services,
  workspaceId: string,
  open: SwitchRow,
  hooks: InsightHooks,
): Promise<{ more: boolean }> {
  switch (open.state) {
    case 'gathering': {
      const moved = await inWorkspace(services.db, workspaceId, (tx) =>
        moveSwitch(tx, workspaceId, open.id, ['gathering'], 'grouping'),
      )
      return { more: moved }
    }
    case 'grouping':
      await prepareSwitch(services, workspaceId, open)
      return { more: false }
    case 'applying':
      await applySwitch(services, workspaceId, open, hooks)
      return { more: false }
    case 'ready':
    case 'applied':
    case 'discarded':
    case 'failed':
      return { more: false }
  }
}

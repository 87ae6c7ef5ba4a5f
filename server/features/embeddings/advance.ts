import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { InsightHooks } from '../insights/index.ts'
import { ModelFailure } from '../models/index.ts'
import { BudgetSpent } from './budget.ts'
import { applySwitch, failSwitch, prepareSwitch } from './carry-out.ts'
import { type Embedder, modelOf, nameOfSpace } from './embedder.ts'
import { gatherVectors } from './gather.ts'
import { AnotherModel, offeredEmbedder } from './offered.ts'
import * as store from './store.ts'
import { moveSwitch, readOpen, type SwitchRow } from './switch-store.ts'
import { isPaused, noteTrouble } from './trouble.ts'

/** `lastAttempt`: no further try follows this one. */
export type AdvanceOptions = { signal: AbortSignal; lastAttempt: boolean; runMs?: number }

/** A run gives way after so long, well within the time that one run of a job may take. */
const RUN_MS = 8 * 60_000

/**
 * Does what there is to do about vectors in one workspace: makes the missing ones of the model in use, and takes a switch as far as
 * it goes without a person. `more`: it gave way although there is more to do. Throws what the queue is to try again; everything
 * else is settled here, and grouping goes on by words.
 */
export async function advance(
  services: Services,
  workspaceId: string,
  hooks: InsightHooks,
  { signal, lastAttempt, runMs = RUN_MS }: AdvanceOptions,
): Promise<{ more: boolean }> {
  const inside = <T>(work: Parameters<typeof inWorkspace<T>>[2]) => inWorkspace(services.db, workspaceId, work)
  const endsAt = performance.now() + runMs
  const embedder = await offeredEmbedder(services)
  const { choice, open } = await inside(async (tx) => ({
    choice: await store.readChoice(tx, workspaceId),
    open: await readOpen(tx, workspaceId),
  }))
  const waits = open !== null && open.state !== 'ready'
  if (waits && open.toSpace !== '' && embedder?.space !== open.toSpace) {
    await failSwitch(services, workspaceId, open, whyNotOffered(open.toSpace, embedder))
    return { more: false }
  }
  if (embedder && (waits ? open.toSpace : choice) === embedder.space) {
    const gathered = await gather(services, embedder, workspaceId, { signal, endsAt, lastAttempt })
    // What a person has said yes to does not wait for the last few.
    if (gathered === 'another model') return { more: waits }
    if (!gathered && open?.state !== 'applying') {
      return { more: performance.now() > endsAt && !(await isPaused(services)) }
    }
  }
  if (!waits) return { more: false }
  try {
    return await goOn(services, workspaceId, open, hooks)
  } catch (error) {
    if (!lastAttempt) throw error
    services.log.error({ workspace: workspaceId, err: (error as Error).message }, 'the groups could not be rebuilt')
    await failSwitch(services, workspaceId, open, 'The groups could not be computed; see the server log.')
    return { more: false }
  }
}

function whyNotOffered(space: string, offered: Embedder | null): string {
  const model = modelOf(space)
  return offered && nameOfSpace(offered.space) === nameOfSpace(space)
    ? `The name ${model} now refers to another model: prepare the switch again.`
    : `The server no longer offers ${model}.`
}

/** True when every statement has been asked about. */
async function gather(
  services: Services,
  embedder: Embedder,
  workspaceId: string,
  { lastAttempt, ...options }: { signal: AbortSignal; endsAt: number; lastAttempt: boolean },
): Promise<boolean | 'another model'> {
  try {
    return (await gatherVectors(services, embedder, workspaceId, options)).done
  } catch (error) {
    if (error instanceof AnotherModel) return 'another model'
    if (error instanceof BudgetSpent) return false
    if (!(error instanceof ModelFailure)) throw error
    if (error.kind !== 'unavailable' || lastAttempt) await noteTrouble(services, error)
    if (error.kind === 'rate-limited' || (error.kind === 'unavailable' && !lastAttempt)) throw error
    return false
  }
}

/** One thing a run, so that what a person does meanwhile is seen. */
async function goOn(
  services: Services,
  workspaceId: string,
  one: SwitchRow,
  hooks: InsightHooks,
): Promise<{ more: boolean }> {
  switch (one.state) {
    case 'gathering': {
      const moved = await inWorkspace(services.db, workspaceId, (tx) =>
        moveSwitch(tx, workspaceId, one.id, ['gathering'], 'grouping'),
      )
      return { more: moved }
    }
    case 'grouping':
      await prepareSwitch(services, workspaceId, one)
      return { more: false }
    case 'applying':
      await applySwitch(services, workspaceId, one, hooks)
      return { more: false }
    case 'ready':
    case 'applied':
    case 'discarded':
    case 'failed':
      return { more: false }
  }
}

import type { SwitchPreview } from '@groundswell/contract/embeddings.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { GroupsMoved, type InsightHooks, planRegrouping, type Regrouping, storeRegrouping } from '../insights/index.ts'
import { vectorSource } from './source.ts'
import * as store from './store.ts'
import { moveSwitch, type SwitchRow, writeApplied, writePreview } from './switch-store.ts'

const TRIES = 5
/** What a person has seen may differ by so many insights of a kind, or by such a share of them, from what is applied. */
const SAME_WITHIN = { insights: 2, share: 0.1 }
const LOOK_AGAIN = 'Much has changed since this preview: here is what would change now.'

class Gone extends Error {
  override name = 'Gone'
}

/** Works out what a switch changes, and keeps that for a person to look at. */
export async function prepareSwitch(services: Services, workspaceId: string, one: SwitchRow): Promise<void> {
  const plan = await planned(services, workspaceId, one)
  await inWorkspace(services.db, workspaceId, (tx) =>
    writePreview(tx, workspaceId, one.id, 'grouping', { ...plan, asOf: plan.version, problem: null }),
  )
}

/**
 * Carries a switch out, all in one transaction: the choice, every mention that moves, the insights, and the engine's state. It is
 * worked out again from what is there now: where nothing came between, that is the same to the last mention. Where what would
 * change is no longer what a person has seen, it waits for that person again instead.
 */
export async function applySwitch(
  services: Services,
  workspaceId: string,
  one: SwitchRow,
  hooks: InsightHooks,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const plan = await planned(services, workspaceId, one)
    if (!isAsSeen(one, plan)) {
      await inWorkspace(services.db, workspaceId, (tx) =>
        writePreview(tx, workspaceId, one.id, 'applying', { ...plan, asOf: plan.version, problem: LOOK_AGAIN }),
      )
      return
    }
    try {
      await inWorkspace(services.db, workspaceId, async (tx) => {
        const now = services.now()
        await storeRegrouping(tx, services, workspaceId, plan, hooks)
        const before = await store.readChoice(tx, workspaceId)
        await store.writeChoice(tx, workspaceId, one.toSpace, now)
        await store.forgetOtherVectors(tx, workspaceId, [one.toSpace, before])
        if (!(await writeApplied(tx, workspaceId, one.id, plan.preview, now))) throw new Gone('the switch is no more')
      })
      return
    } catch (error) {
      if (error instanceof Gone) return
      if (!(error instanceof GroupsMoved) || tries >= TRIES) throw error
    }
  }
}

/** Ends a switch that cannot be gone on with. */
export async function failSwitch(
  services: Services,
  workspaceId: string,
  one: SwitchRow,
  problem: string,
): Promise<void> {
  await inWorkspace(services.db, workspaceId, (tx) =>
    moveSwitch(tx, workspaceId, one.id, ['gathering', 'grouping', 'applying'], 'failed', {
      problem,
      endedAt: services.now(),
    }),
  )
}

async function planned(services: Services, workspaceId: string, { toSpace }: SwitchRow): Promise<Regrouping> {
  const vectors = vectorSource(services)
  for (let tries = 1; ; tries++) {
    try {
      return await planRegrouping(services, workspaceId, toSpace, vectors)
    } catch (error) {
      if (!(error instanceof GroupsMoved) || tries >= TRIES) throw error
    }
  }
}

/** Whether a plan is the one that was shown, or one that differs by what came in meanwhile. */
function isAsSeen({ asOf, planHash, preview }: SwitchRow, plan: Regrouping): boolean {
  if (preview === null) return false
  if (asOf === plan.version) return planHash === plan.hash
  const kinds = ['merged', 'ended', 'split', 'born'] as const satisfies (keyof SwitchPreview)[]
  return kinds.every((kind) => {
    const most = Math.max(SAME_WITHIN.insights, SAME_WITHIN.share * preview.insights_before)
    return Math.abs(plan.preview[kind] - preview[kind]) <= most
  })
}

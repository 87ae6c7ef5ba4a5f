import type { SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { GroupsMoved, type InsightHooks, planRegrouping, type Regrouping, storeRegrouping } from '../insights/index.ts'
import { modelForGrouping } from './grouping-model.ts'
import { builtinSpace, isBuiltin } from './models/builtin-embedder.ts'
import { vectorSource } from './source.ts'
import * as store from './store.ts'
import { moveSwitch, type SwitchRow, writeApplied, writePreview } from './switch-store.ts'

const MAX_ATTEMPTS = 5
/** How far the applied switch may differ from the preview: in insights of each kind, or as a share of all. */
const TOLERANCE = { insights: 2, share: 0.1 }
const REVIEW_AGAIN = 'Much has changed since this preview: here is what would change now.'

class SwitchGone extends Error {
  override name = 'SwitchGone'
}

/** Computes what a switch would change, and stores that as its preview. */
export async function prepareSwitch(services: Services, workspaceId: string, open: SwitchRow): Promise<void> {
  const regrouping = await plan(services, workspaceId, open)
  await inWorkspace(services.db, workspaceId, (tx) =>
    writePreview(tx, workspaceId, open.id, 'grouping', { ...regrouping, asOf: regrouping.version, problem: null }),
  )
}

/**
 * Applies a switch in one transaction: the choice, every mention that moves, the insights, and the engine's state. It is
 * computed again from the current data; if nothing has changed, the result is identical to the preview. If it differs too
 * much from what the person has seen, the new preview is stored instead and waits for approval.
 */
export async function applySwitch(
  services: Services,
  workspaceId: string,
  open: SwitchRow,
  hooks: InsightHooks,
): Promise<void> {
  const builtin = (await builtinSpace(services)) ?? ''
  for (let attempt = 1; ; attempt++) {
    const regrouping = await plan(services, workspaceId, open)
    if (!matchesPreview(open, regrouping)) {
      await inWorkspace(services.db, workspaceId, (tx) =>
        writePreview(tx, workspaceId, open.id, 'applying', {
          ...regrouping,
          asOf: regrouping.version,
          problem: REVIEW_AGAIN,
        }),
      )
      return
    }
    try {
      await inWorkspace(services.db, workspaceId, async (tx) => {
        const now = services.now()
        await storeRegrouping(tx, services, workspaceId, regrouping, hooks)
        const before = await store.readChoice(tx, workspaceId)
        await store.writeChoice(tx, workspaceId, isBuiltin(open.toSpace) ? null : open.toSpace, now)
        await store.deleteOtherVectors(tx, workspaceId, [open.toSpace, before ?? '', builtin])
        if (!(await writeApplied(tx, workspaceId, open.id, regrouping.preview, now)))
          throw new SwitchGone('the switch was discarded')
      })
      return
    } catch (error) {
      if (error instanceof SwitchGone) return
      if (!(error instanceof GroupsMoved) || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

/** Ends a switch that cannot continue. */
export async function failSwitch(
  services: Services,
  workspaceId: string,
  open: SwitchRow,
  problem: string,
): Promise<void> {
  await inWorkspace(services.db, workspaceId, (tx) =>
    moveSwitch(tx, workspaceId, open.id, ['gathering', 'grouping', 'applying'], 'failed', {
      problem,
      endedAt: services.now(),
    }),
  )
}

async function plan(services: Services, workspaceId: string, { toSpace }: SwitchRow): Promise<Regrouping> {
  const vectors = vectorSource(services)
  for (let attempt = 1; ; attempt++) {
    try {
      return await planRegrouping(services, workspaceId, modelForGrouping(toSpace), vectors)
    } catch (error) {
      if (!(error instanceof GroupsMoved) || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

/** Whether a regrouping is the one that was shown, or differs only by what arrived meanwhile. */
function matchesPreview({ asOf, planHash, preview }: SwitchRow, regrouping: Regrouping): boolean {
  if (preview === null) return false
  if (asOf === regrouping.version) return planHash === regrouping.hash
  const kinds = ['merged', 'ended', 'split', 'born'] as const satisfies (keyof SwitchPreview)[]
  return kinds.every((kind) => {
    const max = Math.max(TOLERANCE.insights, TOLERANCE.share * preview.insights_before)
    return Math.abs(regrouping.preview[kind] - preview[kind]) <= max
  })
}

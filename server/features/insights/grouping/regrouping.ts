import { createHash } from 'node:crypto'
import type { SwitchPreview } from '@groundswell/contract/models/embeddings.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readSettled } from '../settled-store.ts'
import { readNames } from '../shown-store.ts'
import { GroupingClient } from './client.ts'
import { openState } from './open-state.ts'
import type { StepResult } from './protocol.ts'
import { previewOf } from './regroup-preview.ts'
import { serializePerWorkspace } from './serialize.ts'
import { ConcurrentChange, type StepHooks, storeStep } from './store-step.ts'
import { readVersion } from './stores/state-store.ts'
import type { GroupingModel, VectorSource } from './vector-source.ts'
import { noWork } from './work.ts'

/**
 * What grouping everything with the vectors of another model would change. `version`: of the groups that it was computed from;
 * `hash`: of all changes, to recognize equal ones.
 */
export type Regrouping = { version: number; hash: string; preview: SwitchPreview; result: StepResult }

/** The groups changed while a regrouping was computed or before it was stored: it has to be computed again. */
export class GroupsMoved extends Error {
  override name = 'GroupsMoved'
}

/**
 * Computes what grouping with the vectors of `model` would change: a second state is built from the stored decisions
 * and constraints, and revised in a grouping thread of its own. Writes nothing.
 */
export function planRegrouping(
  services: Services,
  workspaceId: string,
  model: GroupingModel,
  vectors: VectorSource,
): Promise<Regrouping> {
  return serializePerWorkspace(services, workspaceId, async () => {
    const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
    const client = new GroupingClient(services.threads)
    try {
      const version = await inside((tx) => readVersion(tx, workspaceId))
      const settled = await inside((tx) => readSettled(tx, workspaceId))
      await openState(services, client, workspaceId, { model, vectors, fresh: true })
      const { result, overlaps } = await client.regroup(workspaceId, settled)
      if (result.version !== version + 1) throw new GroupsMoved('the groups changed before they were read')
      const names = await inside(async (tx) => {
        if ((await readVersion(tx, workspaceId)) !== version)
          throw new GroupsMoved('the groups changed while they were read')
        const shown = new Set(overlaps.flatMap(({ from, to }) => [from, to]))
        return readNames(tx, workspaceId, [...shown])
      })
      for (const { issueId, name } of result.descriptions) if (!names.has(issueId)) names.set(issueId, name)
      return { version, hash: hashOf(result), preview: previewOf(overlaps, names), result }
    } finally {
      await client.stop()
    }
  })
}

/**
 * Stores a regrouping in the caller's transaction, as a step of grouping. Throws `GroupsMoved`, for the transaction to be rolled
 * back, when the groups are no longer at the version that it was computed from.
 */
export async function storeRegrouping(
  tx: Tx,
  services: Services,
  workspaceId: string,
  { version, result }: Regrouping,
  hooks?: StepHooks,
): Promise<void> {
  try {
    await storeStep(tx, services, workspaceId, noWork(version), result, hooks)
  } catch (error) {
    throw error instanceof ConcurrentChange ? new GroupsMoved(error.message) : error
  }
}

function hashOf({ moves, events, descriptions, touched }: StepResult): string {
  return createHash('sha256').update(JSON.stringify({ moves, events, descriptions, touched })).digest('hex')
}

import { createHash } from 'node:crypto'
import type { SwitchPreview } from '@groundswell/contract/embeddings.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readNames } from '../shown-store.ts'
import { GroupingClient } from './client.ts'
import type { StepResult } from './protocol.ts'
import { previewOf } from './regroup-preview.ts'
import { type InsightHooks, inLine, Overtaken, openState, storeStep, type Waiting } from './run.ts'
import { readHead } from './store.ts'
import type { VectorSource } from './vector-source.ts'

/**
 * What grouping everything with the vectors of another model would change. `head`: as of which state of the groups; `hash` is of
 * all changes, so that equal ones are known to be equal.
 */
export type Regrouping = { head: number; hash: string; preview: SwitchPreview; result: StepResult }

/** The groups changed while a regrouping was worked out or stored: it is worked out again. */
export class GroupsMoved extends Error {
  override name = 'GroupsMoved'
}

/**
 * Works out what grouping with the vectors of `space` ('': words alone) changes, beside the groups as they are: a state is built
 * from what is stored and from what people said, and revised, in a grouping thread of its own. Nothing is written.
 */
export function planRegrouping(
  services: Services,
  workspaceId: string,
  space: string,
  vectors: VectorSource,
): Promise<Regrouping> {
  return inLine(services, workspaceId, async () => {
    const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
    const client = new GroupingClient()
    try {
      const head = await inside((tx) => readHead(tx, workspaceId))
      await openState(services, client, workspaceId, { space, vectors, fresh: true })
      const { result, overlaps } = await client.regroup(workspaceId)
      if (result.head !== head + 1) throw new GroupsMoved('the groups changed before they were read')
      const names = await inside(async (tx) => {
        if ((await readHead(tx, workspaceId)) !== head) throw new GroupsMoved('the groups changed while they were read')
        const shown = new Set(overlaps.flatMap(({ from, to }) => [from, to]))
        return readNames(tx, workspaceId, [...shown])
      })
      for (const { issueId, name } of result.descriptions) if (!names.has(issueId)) names.set(issueId, name)
      return { head, hash: hashOf(result), preview: previewOf(overlaps, names), result }
    } finally {
      await client.stop()
    }
  })
}

/**
 * Makes a regrouping what is shown, in the caller's transaction, like every step of grouping. Throws `GroupsMoved`, for the
 * transaction to be rolled back, when the groups are no longer as it was worked out for.
 */
export async function storeRegrouping(
  tx: Tx,
  services: Services,
  workspaceId: string,
  { head, result }: Regrouping,
  hooks?: InsightHooks,
): Promise<void> {
  const nothing: Waiting = { head, items: [], forgotten: [], marks: [], correction: null, advice: [] }
  try {
    await storeStep(tx, services, workspaceId, nothing, result, hooks)
  } catch (error) {
    throw error instanceof Overtaken ? new GroupsMoved(error.message) : error
  }
}

function hashOf({ moves, events, descriptions, touched }: StepResult): string {
  return createHash('sha256').update(JSON.stringify({ moves, events, descriptions, touched })).digest('hex')
}

import { createHash } from 'node:crypto'
import type { SwitchPreview } from '@groundswell/contract/embeddings.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { StepResult } from './grouping-protocol.ts'
import { type InsightHooks, storeResult } from './grouping-run.ts'
import * as store from './grouping-store.ts'
import { buildGroups, clientOf, inLine, type VectorSource } from './open-groups.ts'
import { previewOf } from './regroup-preview.ts'
import { readNames } from './shown-store.ts'

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
 * from what is stored and from what people said, and revised. Nothing is written.
 */
export function planRegrouping(
  services: Services,
  workspaceId: string,
  space: string,
  vectors: VectorSource,
): Promise<Regrouping> {
  return inLine(services, workspaceId, async () => {
    const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
    const client = clientOf(services)
    const as = `${workspaceId} regrouped`
    const stored = await inside(async (tx) => {
      await store.readHead(tx, workspaceId)
      return store.readSnapshotFacts(tx, workspaceId)
    })
    try {
      await buildGroups(services, client, workspaceId, { space, vectors, as }, stored)
      const { result, overlaps } = await client.regroup(as)
      const { head, names } = await inside(async (tx) => ({
        head: await store.readHead(tx, workspaceId),
        names: await readNames(
          tx,
          workspaceId,
          overlaps.flatMap(({ from, to }) => [from, to]),
        ),
      }))
      if (head !== stored.head) throw new GroupsMoved('the groups changed meanwhile')
      for (const { issueId, name } of result.descriptions) if (!names.has(issueId)) names.set(issueId, name)
      return { head, hash: hashOf(result), preview: previewOf(overlaps, names), result }
    } finally {
      await client.drop(as).catch(() => undefined)
    }
  })
}

/**
 * Makes a regrouping what is shown, in the caller's transaction. Throws `GroupsMoved`, for the transaction to be rolled back, when
 * the groups are no longer as it was worked out for.
 */
export async function storeRegrouping(
  tx: Tx,
  services: Services,
  workspaceId: string,
  { head, result }: Regrouping,
  hooks?: InsightHooks,
): Promise<void> {
  if ((await store.lockHead(tx, workspaceId)) !== head) throw new GroupsMoved('the groups changed meanwhile')
  await storeResult(tx, services, workspaceId, result, hooks)
}

function hashOf({ moves, events, descriptions, touched }: StepResult): string {
  return createHash('sha256').update(JSON.stringify({ moves, events, descriptions, touched })).digest('hex')
}

import type { LateVector } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { withPoint } from './kinds.ts'
import type { KindRequest } from './protocol.ts'
import { type LateItem, readLateItems, readLateStatements } from './stores/late-store.ts'
import type { GroupingModel, VectorSource } from './vector-source.ts'

/** One step reads the vectors of at most this many messages: some megabytes. */
const MAX_ITEMS = 1_000

/**
 * Vectors that arrived after their statements were grouped. `items`: the messages whose vectors were read, also those that had none left.
 * `kinds`: to be decided again by these vectors, if they are of the built-in encoder. `more`: others wait for the step after this one.
 */
export type LateWork = { items: LateItem[]; vectors: LateVector[]; kinds: KindRequest[]; more: boolean }

/** No vector has arrived late. */
export const noLateWork: LateWork = { items: [], vectors: [], kinds: [], more: false }

/** The late vectors that wait for the next step of grouping; none while it is unknown which model the workspace groups with. */
export async function readLateWork(
  tx: Tx,
  workspaceId: string,
  model: GroupingModel | null,
  vectors: VectorSource | undefined,
): Promise<LateWork> {
  if (!model || !vectors) return noLateWork
  const items = await readLateItems(tx, workspaceId, MAX_ITEMS)
  if (items.length === 0) return noLateWork
  const itemIds = items.map(({ itemId }) => itemId)
  const statements = await readLateStatements(tx, workspaceId, itemIds)
  const stored = await vectors.stored(tx, workspaceId, model.space, statements)
  const read = statements.flatMap(({ itemId, number, text, point, saidAt, isNoise, kindSet, readKind }) => {
    const statementId = `${itemId}:${number}`
    const vector = stored.get(statementId)
    return vector
      ? [{ statementId, text, point, at: saidAt.getTime(), vector, isNoise, set: kindSet, read: readKind }]
      : []
  })
  return {
    items,
    more: items.length === MAX_ITEMS,
    vectors: read
      .filter(({ isNoise }) => !isNoise)
      .map(({ statementId, text, point, at, vector }) => ({ statementId, text, at, vector, ...withPoint(point) })),
    kinds: model.late ? read.map(({ isNoise: _isNoise, ...one }) => ({ ...one, alone: false })) : [],
  }
}

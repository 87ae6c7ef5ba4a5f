import type { Tx } from '../../platform/db/tenant.ts'
import { lockConnection } from '../connections/index.ts'
import { storeContext } from './conversation-store.ts'
import { matchRows } from './imports/match-rows.ts'
import type { FileRow, ImportTarget } from './imports/row-store.ts'
import { removeItems } from './replaced-store.ts'
import { lockStoring } from './retention/store.ts'

/** `leftOut` of `context` rows belong to no conversation and are not stored. `removed`: how many were feedback before. */
export type OwnSideStored = { context: number; leftOut: number; removed: number; people: string[] }

/** Stores rows of the own side as context. Those that an earlier import read as feedback are removed there. */
export async function storeOwnSide(
  tx: Tx,
  workspaceId: string,
  target: ImportTarget,
  rows: readonly FileRow[],
  importedAt: Date,
): Promise<OwnSideStored> {
  if (rows.length === 0) return { context: 0, leftOut: 0, removed: 0, people: [] }
  await lockStoring(tx, workspaceId)
  await lockConnection(tx, workspaceId, target.connectionId)
  const matched = await matchRows(tx, workspaceId, target, rows, { importedAt, lock: true })
  // An item that another row of this file has become stays.
  const before = matched.filter(({ lines }) => lines[0]?.repeats === null).flatMap(({ stored }) => stored?.id ?? [])
  const removed = await removeItems(tx, workspaceId, before)
  const items = rows.map(({ item }) => item)
  await storeContext(tx, workspaceId, target.connectionId, items, target.importId)
  const people = [...new Set(items.flatMap(({ author }) => author ?? []))]
  return { context: rows.length, leftOut: items.filter(({ thread }) => thread === null).length, removed, people }
}

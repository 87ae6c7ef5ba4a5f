import type { Tx } from '../../platform/db/tenant.ts'
import { lockConnection } from '../connections/index.ts'
import { deleteContext } from './conversation-store.ts'
import { itemChanges, labelsChange, matchRows, textChanges } from './imports/match-rows.ts'
import {
  addItems,
  displaceItems,
  type FileRow,
  type ImportTarget,
  type StoredItem,
  storeImportRows,
  writeItems,
} from './imports/row-store.ts'
import { keepReplaced } from './replaced-store.ts'
import { lockStoring } from './retention/store.ts'

/**
 * The outcome of storing rows: `added` + `replaced` + `known` + `repeated` add up to the number of rows. `relabelled` are items
 * whose author or date changed while their text did not. `regroup`: something waits to be grouped.
 */
export type RowsStored = {
  added: number
  replaced: number
  known: number
  repeated: number
  repeats: { line: number; of: number }[]
  relabelled: number[]
  firstId: number | null
  lastId: number | null
  regroup: boolean
}

/**
 * Stores rows of one file in its source. Text that a row replaces is saved; with `keep` the stored text stays instead. Of rows
 * with the same id the last one counts.
 */
export async function storeRows(
  tx: Tx,
  workspaceId: string,
  target: ImportTarget,
  rows: readonly FileRow[],
  { importedAt, keep }: { importedAt: Date; keep: boolean },
): Promise<RowsStored> {
  const { importId, connectionId } = target
  // Imports into one source, and the deletion of one, wait for each other.
  await lockStoring(tx, workspaceId)
  await lockConnection(tx, workspaceId, connectionId)
  const matched = await matchRows(tx, workspaceId, target, rows, { importedAt, lock: true })
  const left = keep ? matched.filter((row) => !textChanges(row)) : matched
  const changed = left.filter(textChanges)
  const kept = await keepReplaced(tx, workspaceId, importId, idsOf(changed))
  const written = left.filter(itemChanges)
  const fresh = matched.filter((row) => row.stored === null)
  await displaceItems(
    tx,
    workspaceId,
    [...left, ...fresh].flatMap(({ displaces }) => displaces ?? []),
  )
  await writeItems(
    tx,
    workspaceId,
    written.flatMap((row) => row.written ?? []),
  )
  // They may have been read as the own side's before.
  await deleteContext(
    tx,
    workspaceId,
    connectionId,
    fresh.map((row) => row.item.externalId),
  )
  const added = await addItems(
    tx,
    workspaceId,
    connectionId,
    fresh.map((row) => row.item),
  )
  const ids = new Map(fresh.map((row, index) => [row, added[index] as number]))
  const lines = matched.flatMap((row) => {
    const itemId = row.stored?.id ?? ids.get(row)
    if (itemId === undefined) throw new Error('a row was not stored')
    return row.lines.map(({ line }) => ({ line, itemId, added: row.stored === null }))
  })
  await storeImportRows(tx, workspaceId, importId, lines)
  const repeats = matched
    .flatMap((row) => row.lines.flatMap(({ line, repeats: of }) => (of === null ? [] : [{ line, of }])))
    .sort((one, other) => one.line - other.line)
  const replacedNow = new Set(kept)
  const replaced = changed.filter(
    (row) => row.stored && replacedNow.has(row.stored.id) && row.lines[0]?.repeats === null,
  ).length
  return {
    added: fresh.length,
    replaced,
    known: rows.length - fresh.length - replaced - repeats.length,
    repeated: repeats.length,
    repeats,
    relabelled: idsOf(written.filter(labelsChange)),
    firstId: added.length > 0 ? Math.min(...added) : null,
    lastId: added.length > 0 ? Math.max(...added) : null,
    regroup: added.length > 0 || changed.length > 0,
  }
}

const idsOf = (rows: readonly { stored: StoredItem | null }[]) => rows.flatMap(({ stored }) => stored?.id ?? [])

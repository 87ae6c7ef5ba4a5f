import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { lockConnection, removeConnection } from '../connections/index.ts'
import { deleteContextOfImport } from './conversation-store.ts'
import type { FeedbackHooks } from './hooks.ts'
import { countImports, type ImportRow, lockImport, removeImport } from './imports/import-store.ts'
import { readStored, type StoredItem, writeItems } from './imports/row-store.ts'
import { freeIds, readOwnItems, removeItems, takeReplaced } from './replaced-store.ts'
import { lockStoring } from './retention/store.ts'
import { countSources } from './source-store.ts'

/**
 * Deletes an import in one transaction: items that only it has rows of are removed, texts that it replaced are restored, and a
 * source that is then empty is deleted too. Grouping takes what was removed out of the insights. An import that is being read stops.
 */
export async function deleteImport(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  importId: string,
  hooks: FeedbackHooks,
): Promise<{ removed: number; restored: number }> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    await lockStoring(tx, workspaceId)
    const row = await required(tx, workspaceId, importId)
    if (row.connectionId) await lockConnection(tx, workspaceId, row.connectionId)
    const removed = await removeItems(tx, workspaceId, await readOwnItems(tx, workspaceId, importId))
    const restored = await putBack(tx, workspaceId, await takeReplaced(tx, workspaceId, importId, null))
    if (row.connectionId) await deleteContextOfImport(tx, workspaceId, row.connectionId, importId)
    await removeImport(tx, workspaceId, importId)
    if (row.connectionId) await removeWhenEmpty(tx, workspaceId, row.connectionId)
    if (removed > 0 || restored > 0) await hooks.stored(tx, workspaceId)
    return { removed, restored }
  })
}

/** Gives items back the text that an import replaced: these, or all. Returns how many have another text now. */
export async function restoreReplaced(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  importId: string,
  itemIds: readonly number[] | null,
  hooks: FeedbackHooks,
): Promise<number> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    await lockStoring(tx, workspaceId)
    const row = await required(tx, workspaceId, importId)
    if (row.connectionId) await lockConnection(tx, workspaceId, row.connectionId)
    const restored = await putBack(tx, workspaceId, await takeReplaced(tx, workspaceId, importId, itemIds))
    if (restored > 0) await hooks.stored(tx, workspaceId)
    return restored
  })
}

async function required(tx: Tx, workspaceId: string, importId: string): Promise<ImportRow> {
  const row = await lockImport(tx, workspaceId, importId)
  if (!row?.uploaded) throw new ContractError('not_found', 'There is no such import')
  return row
}

/** Writes items back as they were. An item whose former id belongs to another item now keeps its current id. */
async function putBack(tx: Tx, workspaceId: string, items: readonly StoredItem[]): Promise<number> {
  const now = await readStored(
    tx,
    workspaceId,
    items.map(({ id }) => id),
    { lock: true },
  )
  const free = await freeIds(tx, workspaceId, items)
  const back = items.flatMap((item) => {
    const current = now.get(item.id)
    return current ? [{ ...item, externalId: free.has(item.id) ? item.externalId : current.externalId }] : []
  })
  await writeItems(tx, workspaceId, back)
  return back.length
}

async function removeWhenEmpty(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  if ((await countImports(tx, workspaceId, connectionId)) > 0) return
  const left = (await countSources(tx, workspaceId)).get(connectionId)?.messages ?? 0
  if (left === 0) await removeConnection(tx, workspaceId, connectionId)
}

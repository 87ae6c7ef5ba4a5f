import type { CompleteSpan, FeedbackItem } from '@groundswell/connectors/connector.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { deleteItems, externalIdsIn, storeItems } from '../feedback/index.ts'
import { readVersions, recordVersions } from './version-store.ts'

type Target = { workspaceId: string; id: string }
type Changes = { items: readonly FeedbackItem[]; deleted: readonly string[] }

/**
 * Applies what an event says, unless a newer state is stored: events may arrive out of order. A deletion is final, and an edit or the
 * original that arrives after a newer edit is dropped. Returns the external ids that were changed, and whether feedback was. The
 * connection must be locked, so that no page is stored meanwhile.
 */
export async function applyEvent(
  tx: Tx,
  { workspaceId, id }: Target,
  { items, deleted }: Changes,
): Promise<{ touched: string[]; changed: boolean }> {
  const known = await readVersions(tx, workspaceId, id, idsOf(items))
  const fresh = items.filter(({ externalId, version = 0 }) => {
    const state = known.get(externalId)
    return !state || (!state.deleted && version >= state.version)
  })
  return { touched: [...idsOf(fresh), ...deleted], changed: await store(tx, { workspaceId, id }, fresh, deleted) }
}

/**
 * Applies a page. It shows the provider's state of when it was requested, so it is newer than every event before, and only what
 * events have changed since then (`newer`) stays as the event left it. Stored items that a complete span lacks are removed, but
 * not marked as deleted: if they are there after all, they come back when an event or a page has them. Returns whether feedback changed.
 */
export async function applyPage(
  tx: Tx,
  { workspaceId, id }: Target,
  page: Changes & { complete: readonly CompleteSpan[] },
  newer: ReadonlySet<string>,
): Promise<boolean> {
  const known = await readVersions(tx, workspaceId, id, idsOf(page.items))
  const fresh = page.items.filter(({ externalId }) => !newer.has(externalId) && !known.get(externalId)?.deleted)
  const changed = await store(tx, { workspaceId, id }, fresh, page.deleted)
  let removed = 0
  for (const span of page.complete) {
    const listed = new Set(span.ids)
    const stored = await externalIdsIn(tx, workspaceId, id, span)
    const missing = stored.filter((externalId) => !listed.has(externalId) && !newer.has(externalId))
    if (missing.length > 0) removed += await deleteItems(tx, workspaceId, id, missing)
  }
  return changed || removed > 0
}

async function store(
  tx: Tx,
  { workspaceId, id }: Target,
  items: readonly FeedbackItem[],
  deleted: readonly string[],
): Promise<boolean> {
  const stored = await storeItems(tx, workspaceId, id, items)
  const removed = deleted.length > 0 ? await deleteItems(tx, workspaceId, id, deleted) : 0
  await recordVersions(tx, workspaceId, id, { items, deleted })
  return stored.added + stored.changed.length + removed > 0
}

const idsOf = (items: readonly FeedbackItem[]) => items.map(({ externalId }) => externalId)

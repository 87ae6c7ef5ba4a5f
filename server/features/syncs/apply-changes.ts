import type { CompleteSpan, FeedbackItem } from '@groundswell/connectors/connector.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { deleteItems, deleteThreads, externalIdsIn, storeItems } from '../feedback/index.ts'
import { readVersions, recordVersions } from './version-store.ts'

type Target = { workspaceId: string; id: string }
type Changes = { items: readonly FeedbackItem[]; deleted: readonly string[]; deletedThreads?: readonly string[] }

/**
 * Applies what an event says, unless a newer state is stored: events may arrive out of order. A deletion is final, and an edit or the
 * original that arrives after a newer edit is dropped. Returns the external ids that were changed, and whether feedback was. The
 * connection must be locked, so that no page is stored meanwhile.
 */
export async function applyEvent(
  tx: Tx,
  { workspaceId, id }: Target,
  { items, deleted, deletedThreads = [] }: Changes,
): Promise<{ touched: string[]; changed: boolean }> {
  const known = await readVersions(tx, workspaceId, id, idsOf(items))
  const fresh = items.filter(({ externalId, version = 0 }) => {
    const state = known.get(externalId)
    return !state || (!state.deleted && version >= state.version)
  })
  const changed = await store(tx, { workspaceId, id }, fresh, deleted)
  // Not final, unlike the deletion of a message: a conversation can be restored at its provider.
  const gone = await deleteThreads(tx, workspaceId, id, deletedThreads)
  return { touched: [...idsOf(fresh), ...deleted, ...gone.ids], changed: changed || gone.items > 0 }
}

/** Fewer stored items than this are removed whatever share of a page they are. */
const MIN_DOUBTED_STORED = 20

/**
 * A page lacks most of the messages that are stored for its time spans, which may be a fault of the provider: nothing on it is stored. `missing`:
 * the external ids that it lacks.
 */
export class DoubtfulPage extends Error {
  readonly kind = 'unavailable'
  readonly missing: readonly string[]

  constructor(missing: readonly string[], stored: number) {
    super(`The provider no longer lists ${missing.length} of ${stored} items that were read before`)
    this.missing = missing
  }
}

/**
 * Applies a page. It shows the provider's state of when it was requested, so it is newer than every event before, and only what
 * events have changed since then (`newer`) stays as the event left it. Stored items that a complete span lacks are removed, but
 * not marked as deleted: if they are there after all, they come back when an event or a page has them. Returns whether feedback
 * changed. Throws `DoubtfulPage` where most items would be removed, unless most of them were missing the last time too (`doubted`).
 */
export async function applyPage(
  tx: Tx,
  { workspaceId, id }: Target,
  page: Changes & { complete: readonly CompleteSpan[] },
  { newer, doubted }: { newer: ReadonlySet<string>; doubted: ReadonlySet<string> },
): Promise<boolean> {
  const known = await readVersions(tx, workspaceId, id, idsOf(page.items))
  const fresh = page.items.filter(({ externalId }) => !newer.has(externalId) && !known.get(externalId)?.deleted)
  const stored = await store(tx, { workspaceId, id }, fresh, page.deleted)
  const gone = await deleteThreads(tx, workspaceId, id, page.deletedThreads ?? [])
  const changed = stored || gone.items > 0
  const missing: string[] = []
  let listedBefore = 0
  for (const span of page.complete) {
    const listed = new Set(span.ids)
    const ids = await externalIdsIn(tx, workspaceId, id, span)
    listedBefore += ids.length
    missing.push(...ids.filter((externalId) => !listed.has(externalId) && !newer.has(externalId)))
  }
  if (listedBefore >= MIN_DOUBTED_STORED && isMost(missing.length, listedBefore)) {
    const again = missing.filter((externalId) => doubted.has(externalId))
    if (!isMost(again.length, missing.length)) throw new DoubtfulPage(missing, listedBefore)
  }
  const removed = missing.length > 0 ? await deleteItems(tx, workspaceId, id, missing) : 0
  return changed || removed > 0
}

const isMost = (part: number, whole: number) => part * 2 > whole

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

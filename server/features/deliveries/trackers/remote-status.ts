import type { RemoteItem, RemoteStatus } from '@groundswell/connectors/tracker.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { connectionById } from '../../connections/index.ts'
import {
  markOffered,
  markOutcome,
  markReopened,
  markResolved,
  noteItemGone,
  noteItemRenamed,
} from '../../insights/index.ts'
import {
  countItems,
  itemLabel,
  lockItemsById,
  lockItemsOfInsight,
  type RemoteItemRow,
  storeItem,
  storeItemState,
} from './remote-item-store.ts'
import { removeWaitingUpdates } from './tracker-delivery-store.ts'

/** How often the state of an item is read, where no event reports it. */
const CHECK_MS = 10 * 60_000

/** When the state of an item that is read now is read again: in ten minutes. */
export const nextCheck = (now: Date) => new Date(now.getTime() + CHECK_MS)

/** Stores what the tracker returned about an item, and what follows from its state. */
export async function recordItem(
  services: Services,
  tx: Tx,
  workspaceId: string,
  item: RemoteItemRow,
  { remote, version }: { remote: RemoteItem; version: number | null },
): Promise<void> {
  const at = services.now()
  await lockItemsOfInsight(tx, workspaceId, item.issueNumber)
  await storeItem(tx, workspaceId, item.marker, remote, { version, at, nextCheckAt: nextCheck(at) })
  await tellRenamed(tx, workspaceId, item, remote)
  await follow(tx, workspaceId, { ...item, label: itemLabel(remote) }, { ...remote, state: remote.status })
}

/** Says in the history of the insight that its item got another title from us. */
async function tellRenamed(tx: Tx, workspaceId: string, item: RemoteItemRow, remote: RemoteItem): Promise<void> {
  const title = withoutControls(remote.title ?? '')
  const isOurs = item.titles
    .map(withoutControls)
    .some((one) => one === title || (title.endsWith('…') && one.startsWith(title.slice(0, -1))))
  if (item.title === null || title === '' || title === item.title || !isOurs) return
  const connection = await connectionById(tx, workspaceId, item.connectionId)
  const destination = connection?.connector ?? ''
  await noteItemRenamed(tx, workspaceId, item.issueNumber, { destination, from: item.title, to: title })
}

/** Records that the tracker no longer has an item. */
export async function recordGone(services: Services, tx: Tx, workspaceId: string, item: RemoteItemRow): Promise<void> {
  if (item.remoteId === null) return
  await applyStatuses(services)(tx, { workspaceId, connectionId: item.connectionId }, [
    { id: item.remoteId, state: 'gone', name: null },
  ])
}

/**
 * Applies states that a tracker reported. What is known already changes nothing, and so do those of items that are not ours:
 * the events of our own updates have no effect.
 */
export function applyStatuses(services: Services) {
  return async (
    tx: Tx,
    { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
    statuses: readonly RemoteStatus[],
  ): Promise<void> => {
    const at = services.now()
    const ids = statuses.map(({ id }) => id)
    const items = new Map(
      (await lockItemsById(tx, workspaceId, connectionId, ids)).map((item) => [item.remoteId, item] as const),
    )
    for (const status of statuses) {
      const item = items.get(status.id)
      if (!item || item.state === 'gone') continue
      await storeItemState(tx, workspaceId, item.marker, status, { at, nextCheckAt: nextCheck(at) })
      await follow(tx, workspaceId, item, status)
      items.set(status.id, { ...item, state: status.state, declined: status.declined ?? false })
    }
  }
}

/**
 * What a new state means for the insight: it is resolved once every item that is still there is closed, pushed when one is reopened, and
 * offered again when none is left. It is shipped if one of its items was done. `item` is the state known before.
 */
async function follow(
  tx: Tx,
  workspaceId: string,
  item: RemoteItemRow,
  { state, declined = false }: Pick<RemoteStatus, 'state' | 'declined'>,
): Promise<void> {
  const { connectionId, issueNumber, label } = item
  const isStill = (item.state === 'creating' ? 'open' : item.state) === state
  if (isStill && item.declined === declined) return
  if (state === 'open') {
    await markReopened(tx, workspaceId, issueNumber)
    return
  }
  if (state === 'gone') {
    const connection = await connectionById(tx, workspaceId, connectionId)
    await noteItemGone(tx, workspaceId, issueNumber, { destination: connection?.connector ?? '', label })
    await removeWaitingUpdates(tx, workspaceId, connectionId, issueNumber)
  }
  const { there, open, done } = await countItems(tx, workspaceId, issueNumber)
  if (there === 0) await markOffered(tx, workspaceId, issueNumber)
  else if (open === 0) {
    if (!isStill) await markResolved(tx, workspaceId, issueNumber, { isDone: done > 0 })
    await markOutcome(tx, workspaceId, issueNumber, { isDone: done > 0 })
  }
}

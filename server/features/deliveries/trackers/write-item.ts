import type { Context } from '@groundswell/connectors/connector.ts'
import type { RemoteItem, Tracker } from '@groundswell/connectors/tracker.ts'
import type { Connection } from '../../connections/index.ts'
import type { InsightRow } from '../../insights/index.ts'
import { readDocument } from './insight-document.ts'
import type { RemoteItemRow } from './remote-item-store.ts'

/** `payload` is the text that is frozen with the delivery; `known` is null while there is no item. */
type ItemWrite = {
  marker: string
  payload: string
  known: RemoteItem | null
  reopen: boolean
  titles: readonly string[]
}

/** Creates the item of an insight or brings it up to date. A push sends what this makes, and a dry run shows it. */
export function writeItem(
  tracker: Tracker,
  context: Context,
  { marker, payload, known, reopen, titles }: ItemWrite,
): Promise<RemoteItem> {
  const document = readDocument(payload, marker)
  return known === null
    ? tracker.create(context, { document, reopen: false })
    : tracker.update(context, known, { document, reopen, titles })
}

/** Whether a closed item is reopened: the insight was mentioned again, and the owner wants it. */
export function wantsReopening(
  { reopenItems }: Pick<Connection, 'reopenItems'>,
  { state }: Pick<RemoteItemRow, 'state'>,
  insight: Pick<InsightRow, 'status'> | null,
): boolean {
  return reopenItems && state === 'closed' && insight?.status === 'regressed'
}

/** A recorded item as its connector knows it. */
export function knownItem(item: RemoteItemRow): RemoteItem {
  const { remoteId, url, label, state, stateName, data } = item
  if (remoteId === null || state === 'creating') throw new Error('the item was not created yet')
  return { id: remoteId, url, label: label ?? remoteId, status: state, statusName: stateName, data }
}

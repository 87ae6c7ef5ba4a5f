import type { Context } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { isConnectorFailure } from '@groundswell/connectors/kit/errors.ts'
import { MAX_STATUS_IDS, type RemoteStatus } from '@groundswell/connectors/tracker.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { readFailure } from '../../../platform/queue/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace, type SweepOutcome } from '../../../platform/sweep/every-workspace.ts'
import { type Connection, callProvider, connectionById, signOut } from '../../connections/index.ts'
import {
  connectionsWithDueItems,
  postponeChecks,
  type RemoteItemRow,
  takeDueItems,
  workspacesWithDueItems,
} from './remote-item-store.ts'
import { applyStatuses, nextCheck } from './remote-status.ts'
import { knownItem } from './write-item.ts'

const CALL_MS = 40_000

/**
 * Reads the states of trackers' items that are due and applies them, in batches, each item at most once in ten minutes. Connections that
 * are paused or signed out are left out.
 */
export function sweepItems(services: Services): Promise<SweepOutcome> {
  const due = (tx: Tx) => workspacesWithDueItems(tx, services.now())
  return everyWorkspace(services, 'remote items', due, async (workspaceId) => {
    const ids = await inWorkspace(services.db, workspaceId, (tx) =>
      connectionsWithDueItems(tx, workspaceId, services.now()),
    )
    for (const id of ids) {
      while (await readBatch(services, workspaceId, id)) {
        // One batch after the other, until none is due or the tracker asks for a pause.
      }
    }
  })
}

/** Returns true when there may be another batch. */
async function readBatch(services: Services, workspaceId: string, connectionId: string): Promise<boolean> {
  const now = services.now()
  const taken = await inWorkspace(services.db, workspaceId, async (tx) => {
    const connection = await connectionById(tx, workspaceId, connectionId)
    const batch = { now, nextCheckAt: nextCheck(now), limit: MAX_STATUS_IDS }
    const items = await takeDueItems(tx, workspaceId, connectionId, batch)
    return { connection, items }
  })
  const { connection, items } = taken
  if (!connection || connection.disconnectedAt || connection.signedOut || connection.paused) return false
  if (items.length === 0) return false
  const statuses = await request(services, connection, items)
  if (!statuses) return false
  await inWorkspace(services.db, workspaceId, (tx) =>
    applyStatuses(services)(tx, { workspaceId, connectionId }, statuses),
  )
  return items.length === MAX_STATUS_IDS
}

/** Null when the tracker did not report states: its items wait until it may be asked again. */
async function request(
  services: Services,
  connection: Connection,
  items: readonly RemoteItemRow[],
): Promise<RemoteStatus[] | null> {
  const tracker = connectorById(connection.connector)?.tracker
  if (!tracker) return null
  const { workspaceId, id } = connection
  let used = connection
  const read = (context: Context, current: Connection) => {
    used = current
    return tracker.readStatus(context, items.map(knownItem))
  }
  try {
    return await callProvider(services, connection, read, AbortSignal.timeout(CALL_MS))
  } catch (error) {
    const { kind, message, retryAfter = 0 } = readFailure(error)
    const words = isConnectorFailure(error) ? message : 'The states of its items could not be read'
    services.log.warn({ connection: id, kind }, 'the states of a tracker’s items could not be read')
    const until = new Date(Math.max(nextCheck(services.now()).getTime(), services.now().getTime() + retryAfter * 1000))
    await inWorkspace(services.db, workspaceId, async (tx) => {
      await postponeChecks(tx, workspaceId, id, until)
      if (kind === 'auth') await signOut(tx, used, words)
    })
    return null
  }
}

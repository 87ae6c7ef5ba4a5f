import type { Context, EventOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Log } from '../../platform/log/log.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, callProvider, connectionById, signOut } from '../connections/index.ts'
import { deleteItems, storeItems } from '../feedback/index.ts'
import { markHandled, oldestEvent, type StoredEvent } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'

type Run = { signal: AbortSignal; log: Log }

const NOTHING: EventOutcome = { items: [], deleted: [], ended: null }

/**
 * Applies the waiting events of a connection to its feedback, each once, oldest first: a newer one is never applied before
 * an older one that has to be retried. An event that can never be handled is dropped: the next sync finds what it was
 * about. Throws when the provider does not reply, so that the queue retries.
 */
export async function handleEvents(
  services: Services,
  workspaceId: string,
  connectionId: string,
  hooks: SyncHooks,
  run: Run,
): Promise<void> {
  for (;;) {
    run.signal.throwIfAborted()
    const found = await inWorkspace(services.db, workspaceId, async (tx) => ({
      event: await oldestEvent(tx, workspaceId, connectionId),
      connection: await connectionById(tx, workspaceId, connectionId),
    }))
    const { event, connection } = found
    if (!event || !connection) return
    const live = !connection.disconnectedAt && !connection.signedOut
    const asked = live ? await ask(services, connection, event, run) : { outcome: NOTHING, connection }
    await settle(services, asked.connection, event, asked.outcome, hooks)
  }
}

/** The outcome, and the connection with the credentials that were used. */
async function ask(
  services: Services,
  stored: Connection,
  { id, payload }: StoredEvent,
  { signal, log }: Run,
): Promise<{ outcome: EventOutcome; connection: Connection }> {
  const handleEvent = connectorById(stored.connector)?.handleEvent
  let connection = stored
  if (!handleEvent) return { outcome: NOTHING, connection }
  const handle = (context: Context, used: Connection) => {
    connection = used
    return handleEvent(context, payload)
  }
  try {
    return { outcome: await callProvider(services, stored, handle, signal), connection }
  } catch (error) {
    signal.throwIfAborted()
    const { kind, message } = readFailure(error)
    const known = typeof (error as { kind?: unknown } | null)?.kind === 'string'
    if (kind === 'auth') return { outcome: { ...NOTHING, ended: message }, connection }
    if (known && kind !== 'rejected') throw error
    log.warn({ connection: connection.id, event: id, kind: known ? kind : 'fault' }, 'an event could not be handled')
    return { outcome: NOTHING, connection }
  }
}

function settle(
  services: Services,
  connection: Connection,
  event: StoredEvent,
  { items, deleted, ended }: EventOutcome,
  hooks: SyncHooks,
): Promise<void> {
  const { workspaceId, id } = connection
  const touched = [...items.map(({ externalId }) => externalId), ...deleted]
  return inWorkspace(services.db, workspaceId, async (tx) => {
    if (!(await markHandled(tx, workspaceId, id, event.id, touched))) return
    const stored = await storeItems(tx, workspaceId, id, items)
    const removed = deleted.length > 0 ? await deleteItems(tx, workspaceId, id, deleted) : 0
    if (ended !== null) await signOut(tx, connection, ended)
    if (stored.added + stored.changed.length + removed > 0) await hooks.stored(tx, workspaceId)
  })
}

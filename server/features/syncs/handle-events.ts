import type { Context, EventOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Log } from '../../platform/log/log.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { inPart } from '../../platform/traces/spans.ts'
import { type Connection, callProvider, connectionById, lockConnection, signOut } from '../connections/index.ts'
import { applyEvent } from './apply-changes.ts'
import { isWaiting, markHandled, oldestEvent, type StoredEvent } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'

type Run = { signal: AbortSignal; log: Log }

const NOTHING: EventOutcome = { items: [], deleted: [], ended: null }

/**
 * Applies the waiting events of a connection, to its feedback or to the items of a tracker, each once, oldest first: a newer one is never applied before
 * an older one that has to be retried. An event that can never be handled is dropped: the next sync, or
 * the next time states are read, finds what it was about. Throws when the provider does not reply, so that the queue retries.
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
    const live = !connection.disconnectedAt && !connection.signedOut && connection.ready
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
  outcome: EventOutcome,
  hooks: SyncHooks,
): Promise<void> {
  const { workspaceId, id } = connection
  const store = async (tx: Tx): Promise<void> => {
    await lockConnection(tx, workspaceId, id)
    if (!(await isWaiting(tx, workspaceId, id, event.id))) return
    const { touched, changed } = await applyEvent(tx, connection, outcome)
    await markHandled(tx, workspaceId, id, event.id, touched)
    const { statuses = [] } = outcome
    if (statuses.length > 0) await hooks.statusesChanged?.(tx, { workspaceId, connectionId: id }, statuses)
    if (outcome.ended !== null) await signOut(tx, connection, outcome.ended)
    if (changed) await hooks.stored(tx, workspaceId)
  }
  const facts = { 'groundswell.messages': outcome.items.length }
  return inPart({ name: 'store messages', facts }, () => inWorkspace(services.db, workspaceId, store))
}

import type { Context, EventOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { isConnectorFailure } from '@groundswell/connectors/kit/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Log } from '../../platform/log/log.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { inPart } from '../../platform/traces/spans.ts'
import { type Connection, callProvider, connectionById, lockConnection, signOut } from '../connections/index.ts'
import { applyEvent } from './apply-changes.ts'
import { isWaiting, markHandled, oldestEvent, type StoredEvent, waitingEvent } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'

/** The part of a job's run that is used here. */
type Run = { attempt: number; signal: AbortSignal; log: Log }

const NOTHING: EventOutcome = { items: [], deleted: [], ended: null }
/** From this attempt of a job on, events that fail no longer hold up later ones. */
const PASSING_FROM = 3
/** How many failing events one run skips, and for how long: where more fail, the provider is down. */
const MAX_PASSED = 100
const MAX_PASSING_MS = 2 * 60_000

/**
 * Applies the waiting events of a connection, to its feedback or to the items of a tracker, each once. Oldest first: a newer one is not applied
 * before an older one that is about to be retried. One that fails again and again is passed over, and tried once more after the later
 * ones. An event that can never be handled, or still fails while others are handled, is dropped: the next sync, or the next time states are
 * read, finds what it was about. Throws when the provider does not reply, so that the queue retries.
 */
export async function handleEvents(
  services: Services,
  workspaceId: string,
  connectionId: string,
  hooks: SyncHooks,
  run: Run,
): Promise<void> {
  const passed = new Map<string, unknown>()
  const until = performance.now() + MAX_PASSING_MS
  let answered = false
  const next = () =>
    inWorkspace(services.db, workspaceId, async (tx) => ({
      event: await oldestEvent(tx, workspaceId, connectionId, [...passed.keys()]),
      connection: await connectionById(tx, workspaceId, connectionId),
    }))
  for (let found = await next(); found.event && found.connection; found = await next()) {
    run.signal.throwIfAborted()
    try {
      answered = (await handle(services, found.connection, found.event, hooks, run)) || answered
    } catch (error) {
      const mayPass = isOfEvent(error) && run.attempt >= PASSING_FROM && passed.size < MAX_PASSED
      if (run.signal.aborted || !mayPass || performance.now() > until) throw error
      passed.set(found.event.id, error)
    }
  }
  const [first] = passed.values()
  if (passed.size > 0 && !answered) throw first
  await retry(services, { workspaceId, connectionId }, [...passed.keys()], hooks, run)
}

/** Tries events that failed once more, and drops those that fail again: the provider has answered about others. */
async function retry(
  services: Services,
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
  ids: readonly string[],
  hooks: SyncHooks,
  run: Run,
): Promise<void> {
  for (const id of ids) {
    run.signal.throwIfAborted()
    const { event, connection } = await inWorkspace(services.db, workspaceId, async (tx) => ({
      event: await waitingEvent(tx, workspaceId, connectionId, id),
      connection: await connectionById(tx, workspaceId, connectionId),
    }))
    if (!event || !connection) continue
    try {
      await handle(services, connection, event, hooks, run)
    } catch (error) {
      if (run.signal.aborted || !isOfEvent(error)) throw error
      run.log.warn({ connection: connectionId, event: id, kind: 'unavailable' }, 'an event could not be handled')
      await settle(services, connection, event, NOTHING, hooks)
    }
  }
}

/** Whether a failure may be about one event alone. A pause is about all. */
const isOfEvent = (error: unknown) => isConnectorFailure(error) && error.kind === 'unavailable'

/** Handles one event. True where the provider has answered a request about it. */
async function handle(
  services: Services,
  connection: Connection,
  event: StoredEvent,
  hooks: SyncHooks,
  run: Run,
): Promise<boolean> {
  const live = !connection.disconnectedAt && !connection.signedOut && connection.ready
  const asked = live ? await ask(services, connection, event, run) : { outcome: NOTHING, connection, answered: false }
  await settle(services, asked.connection, event, asked.outcome, hooks)
  return asked.answered
}

type Asked = {
  outcome: EventOutcome
  /** With the credentials that were used. */
  connection: Connection
  /** There was a request, and the provider answered it. */
  answered: boolean
}

async function ask(
  services: Services,
  stored: Connection,
  { id, payload }: StoredEvent,
  { signal, log }: Run,
): Promise<Asked> {
  const handleEvent = connectorById(stored.connector)?.handleEvent
  let connection = stored
  let answered = false
  if (!handleEvent) return { outcome: NOTHING, connection, answered }
  const work = (context: Context, used: Connection) => {
    connection = used
    const request: Context['http']['request'] = async (asked) => {
      const response = await context.http.request(asked)
      answered ||= response.status < 500
      return response
    }
    return handleEvent({ ...context, http: { request } }, payload)
  }
  try {
    return { outcome: await callProvider(services, stored, work, signal), connection, answered }
  } catch (error) {
    signal.throwIfAborted()
    const { kind, message } = readFailure(error)
    const known = typeof (error as { kind?: unknown } | null)?.kind === 'string'
    if (kind === 'auth') return { outcome: { ...NOTHING, ended: message }, connection, answered }
    if (known && kind !== 'rejected') throw error
    log.warn({ connection: connection.id, event: id, kind: known ? kind : 'fault' }, 'an event could not be handled')
    return { outcome: NOTHING, connection, answered }
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

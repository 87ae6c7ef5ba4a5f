import { isDeepStrictEqual } from 'node:util'
import type { Connector, Page } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type Connection, connectionById, connectionContext } from '../connections/index.ts'
import { deleteItems, storeItems } from '../feedback/index.ts'
import { databaseTime, touchedSince } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'
import { type SyncRun, settleFailure } from './settle-failure.ts'
import { endSync, stepSync } from './sync-state-store.ts'

/** A run stops after this time, so that its job is never given to another worker while it works. */
const RUN_MS = 10 * 60_000

/**
 * Reads a connection from its stored cursor to its end. Each page is stored in one transaction with the next cursor, so a
 * killed run resumes after its last page. Cancellation is checked between pages. Returns
 * true when there is more to read and another run has to continue immediately.
 */
export async function syncConnection(
  services: Services,
  workspaceId: string,
  connectionId: string,
  hooks: SyncHooks,
  run: SyncRun,
): Promise<boolean> {
  const connection = await inWorkspace(services.db, workspaceId, (tx) => connectionById(tx, workspaceId, connectionId))
  if (!connection || connection.status !== 'syncing' || connection.disconnectedAt || connection.signedOut) return false
  const connector = connectorById(connection.connector)
  if (!connector?.pull) return false
  const wait = (connection.waitingUntil?.getTime() ?? 0) - services.now().getTime()
  if (wait > 0) throw new PauseNotOver(wait / 1000)
  let pages = 0
  try {
    const until = performance.now() + RUN_MS
    for await (const step of steps(services, connector, connection, hooks, run.signal)) {
      if (step === 'stopped') return false
      pages += 1
      run.signal.throwIfAborted()
      if (performance.now() > until) return true
    }
    return await inWorkspace(services.db, workspaceId, (tx) => endUnlessChoicesChanged(tx, connection, services.now()))
  } catch (error) {
    if (run.signal.aborted) throw error
    return settleFailure(services, connection, error, run, pages > 0)
  }
}

/** True when the choice of what to read changed meanwhile: another run has to read that too. */
async function endUnlessChoicesChanged(tx: Tx, before: Connection, at: Date): Promise<boolean> {
  const { workspaceId, id } = before
  const now = await connectionById(tx, workspaceId, id)
  if (now?.status === 'syncing' && !isDeepStrictEqual(now.settings, before.settings)) return true
  await endSync(tx, workspaceId, id, { error: null, at })
  return false
}

/** The provider asked for a pause that is not over: a job that came too early waits again, which does not count as an attempt. */
class PauseNotOver extends Error {
  readonly kind = 'rate-limited'
  readonly retryAfter: number

  constructor(seconds: number) {
    super('The provider asked for a pause that is not over')
    this.retryAfter = seconds
  }
}

async function* steps(
  services: Services,
  connector: Connector,
  connection: Connection,
  hooks: SyncHooks,
  signal: AbortSignal,
): AsyncGenerator<'stored' | 'stopped'> {
  const context = connectionContext(services, connection, signal)
  let syncStep = connection.syncStep
  let askedAt = await inWorkspace(services.db, connection.workspaceId, databaseTime)
  for await (const page of connector.pull?.(context, startFrom(connector, connection)) ?? []) {
    const at: Connection = { ...connection, syncStep }
    const next = await inWorkspace(services.db, connection.workspaceId, (tx) =>
      storePage(tx, at, { page, askedAt }, hooks, services.now()),
    )
    if (next === null) {
      yield 'stopped'
      return
    }
    syncStep = next.step
    askedAt = next.at
    yield 'stored'
  }
}

/** A cursor that the connector can no longer read counts as none: it reads everything again, and stored items are recognised. */
function startFrom(connector: Connector, connection: Connection): unknown {
  if (connection.cursor === null || !connector.cursor) return connection.cursor
  const parsed = connector.cursor.safeParse(connection.cursor)
  return parsed.success ? parsed.data : null
}

/**
 * Null: the sync was stopped. What an event has changed since the page was requested stays as the event left it: the page
 * may be older, and would bring back what was deleted.
 */
async function storePage(
  tx: Tx,
  connection: Connection,
  { page, askedAt }: { page: Page<unknown>; askedAt: Date },
  hooks: SyncHooks,
  now: Date,
): Promise<{ step: number; at: Date } | null> {
  const { workspaceId, id } = connection
  const { items, deleted = [], cursor, total, incomplete } = page
  const step = await stepSync(tx, connection, { cursor, read: items.length, total, incomplete }, now)
  if (step === null) return null
  const newer = await touchedSince(tx, workspaceId, id, askedAt)
  const fresh = items.filter(({ externalId }) => !newer.has(externalId))
  const stored = await storeItems(tx, workspaceId, id, fresh)
  const removed = deleted.length > 0 ? await deleteItems(tx, workspaceId, id, deleted) : 0
  if (stored.added + stored.changed.length + removed > 0) await hooks.stored(tx, workspaceId)
  return { step, at: await databaseTime(tx) }
}

import { isDeepStrictEqual } from 'node:util'
import type { Connector, Context, Page } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { inPart } from '../../platform/traces/spans.ts'
import { type Connection, connectionById, freshContext, renewedAfter } from '../connections/index.ts'
import { applyPage, DoubtfulPage } from './apply-changes.ts'
import { databaseTime, touchedSince } from './event-store.ts'
import type { SyncHooks } from './hooks.ts'
import { type SyncRun, settleFailure } from './settle-failure.ts'
import { endSync, noteDoubted, readSync, type SyncState, stepSync } from './sync-state-store.ts'

/** A run stops after this time, so that its job is never given to another worker while it works. */
const RUN_MS = 10 * 60_000

/**
 * Reads a connection from its stored cursor to its end. Each page is stored in one transaction with the next cursor, so a
 * killed run resumes after its last page. Cancellation is checked between pages. Where the provider refuses the credentials, they
 * are refreshed once, and reading resumes after the last page. Returns true when there is more to read and another run has to
 * continue immediately.
 */
export async function syncConnection(
  services: Services,
  workspaceId: string,
  connectionId: string,
  hooks: SyncHooks,
  run: SyncRun,
  { renewed } = { renewed: false },
): Promise<boolean> {
  const found = await inWorkspace(services.db, workspaceId, async (tx) => {
    const sync = await readSync(tx, workspaceId, connectionId)
    if (sync?.status !== 'syncing') return null
    const connection = await connectionById(tx, workspaceId, connectionId)
    return connection && { connection, sync }
  })
  if (!found) return false
  const { sync } = found
  let { connection } = found
  const connector = connectorById(connection.connector)
  if (!connector?.pull) return false
  const wait = (sync.waitingUntil?.getTime() ?? 0) - services.now().getTime()
  if (wait > 0) throw new PauseNotOver(wait / 1000)
  let pages = 0
  try {
    const until = performance.now() + RUN_MS
    const fresh = await freshContext(services, connection, run.signal)
    connection = fresh.connection
    for await (const step of steps(services, connector, { ...fresh, sync }, hooks)) {
      if (step === 'stopped') return false
      pages += 1
      run.signal.throwIfAborted()
      if (performance.now() > until) return true
    }
    return await inWorkspace(services.db, workspaceId, (tx) => endUnlessChoicesChanged(tx, connection, services.now()))
  } catch (error) {
    if (run.signal.aborted) throw error
    if (!renewed) {
      const outcome = await renewedAfter(services, connection, error, run.signal).catch((failure: unknown) => ({
        failure,
      }))
      if (outcome && 'failure' in outcome) return settleFailure(services, connection, outcome.failure, run, pages > 0)
      if (outcome && pages > 0) return true
      if (outcome) return syncConnection(services, workspaceId, connectionId, hooks, run, { renewed: true })
    }
    return settleFailure(services, connection, error, run, pages > 0)
  }
}

/** True if the settings of the source changed meanwhile: another run has to read by the new ones. */
async function endUnlessChoicesChanged(tx: Tx, before: Connection, at: Date): Promise<boolean> {
  const { workspaceId, id } = before
  const now = await connectionById(tx, workspaceId, id)
  if (now && !isDeepStrictEqual(now.settings, before.settings)) {
    const sync = await readSync(tx, workspaceId, id)
    if (sync?.status === 'syncing') return true
  }
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
  { context, connection, sync }: { context: Context; connection: Connection; sync: SyncState },
  hooks: SyncHooks,
): AsyncGenerator<'stored' | 'stopped'> {
  const { workspaceId, id } = connection
  let { step, doubted } = sync
  let askedAt = await inWorkspace(services.db, workspaceId, databaseTime)
  for await (const page of connector.pull?.(context, startFrom(connector, sync.cursor)) ?? []) {
    const at = { workspaceId, id, step }
    const facts = { 'groundswell.messages': page.items.length }
    const next = await inPart({ name: 'store messages', facts }, () =>
      inWorkspace(services.db, workspaceId, (tx) =>
        storePage(tx, at, { page, askedAt, doubted }, hooks, services.now()),
      ),
    ).catch(async (error: unknown) => {
      if (error instanceof DoubtfulPage) {
        await inWorkspace(services.db, workspaceId, (tx) => noteDoubted(tx, at, error.missing))
      }
      throw error
    })
    if (next === null) {
      yield 'stopped'
      return
    }
    step = next.step
    doubted = []
    askedAt = next.at
    yield 'stored'
  }
}

/** A cursor that the connector can no longer read counts as none: it reads everything again, and stored items are recognised. */
function startFrom(connector: Connector, cursor: unknown): unknown {
  if (cursor === null || !connector.cursor) return cursor
  const parsed = connector.cursor.safeParse(cursor)
  return parsed.success ? parsed.data : null
}

/**
 * Null: the sync was stopped. What an event has changed since the page was requested stays as the event left it: the page
 * may be older, and would bring back what was deleted.
 */
async function storePage(
  tx: Tx,
  at: { workspaceId: string; id: string; step: number },
  { page, askedAt, doubted }: { page: Page<unknown>; askedAt: Date; doubted: readonly string[] },
  hooks: SyncHooks,
  now: Date,
): Promise<{ step: number; at: Date } | null> {
  const { workspaceId, id } = at
  const {
    items,
    deleted = [],
    deletedThreads = [],
    complete = [],
    cursor,
    total,
    incomplete,
    setAside,
    attachmentOnly,
  } = page
  const step = await stepSync(tx, at, { cursor, read: items.length, total, incomplete, setAside, attachmentOnly }, now)
  if (step === null) return null
  const newer = await touchedSince(tx, workspaceId, id, askedAt)
  const changed = await applyPage(
    tx,
    at,
    { items, deleted, deletedThreads, complete },
    { newer, doubted: new Set(doubted) },
  )
  if (changed) await hooks.stored(tx, workspaceId)
  return { step, at: await databaseTime(tx) }
}

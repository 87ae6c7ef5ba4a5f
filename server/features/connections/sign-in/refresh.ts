import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Connector, Refreshed } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { AppRefused, AuthExpired, isConnectorFailure, Unavailable } from '@groundswell/connectors/kit/errors.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { connectionContext } from '../context.ts'
import { openSecrets, sealSecrets } from '../sealing/secrets.ts'
import { type Connection, connectionById, signOut } from '../store.ts'
import { lifeOf } from './credential-life.ts'
import { readApp } from './provider-app.ts'
import { endLease, readForRefresh, writeLease, writeRefreshed } from './refresh-store.ts'

/** The provider's answer to a refresh is awaited for this long. Its lease is longer, so that a running refresh never loses it. */
const REFRESH_MS = 20_000
const LEASE_MS = 30_000
/** Others wait for the winner: longer than its lease, so that one of them takes over from a process that was killed. */
const WAIT_MS = 35_000
const POLL_MS = 200

type Refresh = NonNullable<Connector['refresh']>
type App = Record<string, string> | null

/** `waitedFor`: the lease of another process that this caller has waited for. */
type Attempt = { connection: Connection; force: boolean; waitedFor: string | null }

/** What an attempt to take the lease finds. */
type Found =
  | { is: 'fresh'; connection: Connection }
  | { is: 'taken'; connection: Connection; lease: string; app: App; abandoned: boolean }
  | { is: 'busy'; lease: string }
  | { is: 'failed' }
  | { is: 'ended'; reason: string | null }

/**
 * The connection with credentials that are not about to end. Of all processes one refreshes, outside of any transaction, and stores
 * the new credentials, sealed, before anyone uses them; the others wait for it. `force`: the credentials of `connection` were refused,
 * so they are refreshed unless newer ones are stored already. Credentials that do not end stay as they are. Throws the provider's failure; a sign-in that cannot be renewed is
 * signed out before `AuthExpired` is thrown.
 */
export async function freshConnection(
  services: Services,
  connection: Connection,
  { signal, force = false }: { signal?: AbortSignal | undefined; force?: boolean },
): Promise<Connection> {
  const connector = connectorById(connection.connector)
  const refresh = connector?.refresh
  if (!refresh || connection.expiresAt === null) return connection
  if (!force && !isDue(connection, services.now())) return connection
  const { workspaceId } = connection
  const until = performance.now() + WAIT_MS
  let waitedFor: string | null = null
  for (;;) {
    const attempt: Attempt = { connection, force, waitedFor }
    const found: Found = await inWorkspace(services.db, workspaceId, (tx) =>
      takeLease(tx, services, connector, attempt),
    )
    if (found.is === 'fresh') return withCredentials(connection, found.connection)
    if (found.is === 'ended') throw new AuthExpired(found.reason ?? 'The sign-in has ended: connect again')
    if (found.is === 'taken') {
      const renewed = await renew(services, refresh, found)
      if (renewed) return withCredentials(connection, renewed)
      continue
    }
    if (found.is === 'failed' || performance.now() > until) {
      throw new Unavailable('The sign-in could not be renewed just now')
    }
    waitedFor = found.lease
    await pause(signal)
  }
}

/** The rest stays as the caller has it: choices that are not saved yet, for example. */
function withCredentials(
  connection: Connection,
  { sealedSecrets, expiresAt, renewAt }: Pick<Connection, 'sealedSecrets' | 'expiresAt' | 'renewAt'>,
): Connection {
  return { ...connection, sealedSecrets, expiresAt, renewAt }
}

function isDue({ renewAt }: Pick<Connection, 'renewAt'>, now: Date): boolean {
  return renewAt !== null && renewAt <= now
}

async function takeLease(
  tx: Tx,
  services: Services,
  connector: Connector,
  { connection: used, force, waitedFor }: Attempt,
): Promise<Found> {
  const { workspaceId, id } = used
  const row = await readForRefresh(tx, workspaceId, id, { lock: true })
  if (!row) {
    const ended = await connectionById(tx, workspaceId, id)
    return { is: 'ended', reason: ended?.signedOut ? ended.error : null }
  }
  const { connection, lease, leaseUntil } = row
  const now = services.now()
  const isNewer = !isDeepStrictEqual(openSecrets(services, connection).fields, openSecrets(services, used).fields)
  if (isNewer || !(force || isDue(connection, now))) return { is: 'fresh', connection }
  if (lease !== null && leaseUntil !== null && leaseUntil > now) return { is: 'busy', lease }
  if (lease === null && waitedFor !== null) return { is: 'failed' }
  const app = connector.app
    ? ((await readApp(tx, services, workspaceId, { ...connector, app: connector.app }))?.fields ?? null)
    : null
  const own = randomUUID()
  await writeLease(tx, workspaceId, id, own, new Date(now.getTime() + LEASE_MS))
  return { is: 'taken', connection, lease: own, app, abandoned: lease !== null }
}

/** Refreshes as the holder of the lease. Null: the lease is gone, since the sign-in was replaced or ended meanwhile. */
async function renew(
  services: Services,
  refresh: Refresh,
  { connection, lease, app, abandoned }: Extract<Found, { is: 'taken' }>,
): Promise<Connection | null> {
  const { workspaceId, id } = connection
  let refreshed: Refreshed
  try {
    // Not the caller's signal: a refresh token is often good once, so its answer is not thrown away.
    const context = connectionContext(services, connection, AbortSignal.timeout(REFRESH_MS))
    refreshed = await refresh(context, app)
  } catch (error) {
    const lost = isConnectorFailure(error) && error.kind === 'auth'
    if (error instanceof AppRefused) {
      services.log.warn({ connection: id, err: error.message }, 'the app that signs in has to be corrected')
    }
    const failure = lost && abandoned ? interrupted(connection) : error
    await inWorkspace(services.db, workspaceId, async (tx) => {
      const row = await readForRefresh(tx, workspaceId, id, { lock: true })
      if (row?.lease !== lease) return
      await endLease(tx, workspaceId, id, lease)
      if (lost) await signOut(tx, row.connection, (failure as Error).message.replace(/\.$/, ''))
    })
    throw failure
  }
  const life = lifeOf(refreshed.expiresAt, services.now())
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const row = await readForRefresh(tx, workspaceId, id, { lock: true })
    if (row?.lease !== lease) return null
    const secrets = { ...openSecrets(services, row.connection), fields: refreshed.secrets }
    const sealedSecrets = sealSecrets(services, id, secrets)
    await writeRefreshed(tx, workspaceId, id, sealedSecrets, life)
    return { ...row.connection, sealedSecrets, ...life }
  })
}

/** The previous refresh was killed before its answer was stored, and the provider does not accept its token a second time. */
function interrupted({ connector }: Connection): AuthExpired {
  const label = connectorById(connector)?.manifest.label ?? 'The provider'
  return new AuthExpired(
    `The sign-in could not be renewed: the server was stopped while ${label} issued new credentials. Connect again`,
  )
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await sleep(POLL_MS, undefined, signal ? { signal } : {})
}

import { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { migrateQueue, requireQueue } from '../queue/schema.ts'
import { type AuthAccess, accountRights } from './account-tables.ts'
import { AppDialect } from './app-dialect.ts'
import { APP_ROLE, AUTH_ROLE, asAppRole, sameUser, signsInAsApp } from './connection.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts'
import { openClient } from './guarded-client.ts'
import { beginAs, ORDINARY, pooledSettings, sessionSettings } from './limits.ts'
import { Listener, type ListenGaps, type StopListening } from './listener.ts'
import { type MigrationReport, migrate, requireMigrated } from './migrate.ts'
import { ownerAt } from './owner.ts'
import { GuardedPool, type PoolOptions, type PoolUsage } from './pool.ts'
import { authProblem, connectionRoleProblem, RoleError, requireAuthSignIn, roleProblem } from './roles.ts'
import type { DB } from './schema.ts'
import { type AccountsDatabase, withoutWorkspace } from './tenant.ts'

/** An open database: the private one, or the server at DATABASE_URL. Both are used in the same way. */
export interface Database {
  /** The query builder, as the app's role. Tenants' rows need `inWorkspace`. */
  kysely: Kysely<DB>
  /** The query builder of the sign-in code, as its own role: only its transactions may use the tables of accounts. */
  accounts: AccountsDatabase
  /** The app's connections without the query builder and, where DATABASE_URL signs in as another, without the app's role. */
  pool: GuardedPool
  /**
   * For migrations, backup and restore only: row-level security may not apply to it. Without DATABASE_ADMIN_URL it is
   * DATABASE_DIRECT_URL, whose user may not be the owner: see `ownerAt`.
   */
  ownerUrl: string
  /** For connections to the server itself (LISTEN, the queue), as the app's role. Never through a pooler in transaction mode. */
  appUrl: string
  /** True: the private server. */
  embedded: boolean
  /**
   * Brings the tables and the queue's schema up to date. Where this process is not the owner it checks that they are,
   * and otherwise throws a MigrationError with a message for the operator.
   */
  migrate(folder: string): Promise<MigrationReport & { owns: boolean }>
  /** Passes a committed notification to this process's own listeners, without waiting for the database to send it. */
  deliver(channel: string, payload: string): void
  /**
   * Throws a RoleError, with a message for the operator, unless transactions and direct connections run as the app's role, those of
   * accounts as the sign-in code's where the app's may not use their tables, and row-level security applies to both.
   */
  requireRole(): Promise<void>
  /** Connections to the server itself, as the app's role, for what cannot use a pooler. The caller must close them. */
  directPool(size: number, name: string): GuardedPool
  /** Opens the connection for `listen`, which otherwise opens it. Throws where the database delivers no notifications. */
  startListening(): Promise<void>
  /** False while notifications are missed: nothing that depends on them may be served from memory. */
  readonly receives: boolean
  /** How this process uses its connections, by pool; and since when its listener has heard nothing, not even itself. */
  usage(): { pools: PoolUsage[]; listenerSilentMs: number | null }
  /** Receives NOTIFY on a channel until the returned function is called. A message of this process may arrive twice: see `notify`. */
  listen(channel: string, onMessage: (payload: string) => void, gaps?: ListenGaps): Promise<StopListening>
  /** Closes every connection, and the private server unless another process still uses it. */
  stop(): Promise<void>
}

/** How a process uses the database, where that differs from the default. */
export interface OpenOptions {
  /** Stop the private server too if this process is killed: for data that ends with the process. */
  stopWithParent?: boolean
  /** The most connections that the pool holds (default 10). */
  poolSize?: number
  /** The same for the sign-in code, where it has an address of its own (default 5). */
  authPoolSize?: number
}

const POOL_SIZE = 10
const AUTH_POOL_SIZE = 5

/** `poolUrl`: for the pool, if it is not `appUrl`; it may lead through a pooler. `authUrl`: for the sign-in code, if it signs in itself. */
type Addresses = { ownerUrl: string; appUrl: string; poolUrl?: string; authUrl?: string; auth?: AuthAccess }

/** Opens the configured database, starting the private server when there is no DATABASE_URL. */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseAdminUrl' | 'databaseAuthUrl'>,
  log: Log,
  options: OpenOptions = {},
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl, databaseDirectUrl = databaseUrl, databaseAdminUrl = databaseDirectUrl } = config
    const { databaseAuthUrl: authUrl } = config
    const urls: Addresses = {
      ownerUrl: databaseAdminUrl,
      appUrl: asAppRole(databaseDirectUrl),
      // A pooler refuses start-up options, and each transaction takes the app's role itself.
      poolUrl: databaseDirectUrl === databaseUrl ? asAppRole(databaseUrl) : databaseUrl,
      authUrl,
      // Only the owner of the tables can let its own user take the role.
      auth:
        authUrl !== undefined
          ? 'address'
          : signsInAsApp(databaseUrl) || !sameUser(databaseUrl, databaseAdminUrl)
            ? 'none'
            : 'taken',
    }
    return connect(urls, log, options)
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log, stopWithParent: options.stopWithParent })
  const { ownerUrl, appUrl, authUrl } = server
  return connect({ ownerUrl, appUrl, authUrl, auth: 'login' }, log, options, server)
}

/** Uses a running server by its addresses. */
export function connect(urls: Addresses, log: Log, options: OpenOptions = {}, server?: EmbeddedServer): Database {
  const pools = new Set<GuardedPool>()
  const makePool = (url: string, pool: Omit<PoolOptions, 'log' | 'limits'>): GuardedPool => {
    const made = new GuardedPool(url, { ...pool, log, limits: ORDINARY })
    pools.add(made)
    return made
  }
  const pool = makePool(urls.poolUrl ?? urls.appUrl, {
    size: options.poolSize ?? POOL_SIZE,
    name: 'groundswell',
    settings: pooledSettings,
  })
  const kysely = new Kysely<DB>({ dialect: new AppDialect(pool, beginAs(APP_ROLE, ORDINARY)) })
  const { auth = urls.authUrl === undefined ? 'none' : 'address' } = urls
  const authPool =
    urls.authUrl === undefined
      ? pool
      : makePool(urls.authUrl, {
          size: options.authPoolSize ?? AUTH_POOL_SIZE,
          name: 'groundswell auth',
          settings: pooledSettings,
        })
  const asAuth = new Kysely<DB>({ dialect: new AppDialect(authPool, beginAs(AUTH_ROLE, ORDINARY)) })
  const deliver = (channel: string, payload: string): void => {
    for (const receive of receivers.get(channel) ?? []) receive(payload)
  }
  const accounts: AccountsDatabase = { kysely: auth === 'none' ? kysely : asAuth, deliver }
  const listener = new Listener(urls.appUrl, {
    log,
    onDoubt: () => {
      for (const doubted of pools) doubted.doubt()
    },
  })
  const receivers = new Map<string, Set<(payload: string) => void>>()
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await listener.stop()
    await Promise.all([...new Set([pool, authPool])].map((one) => one.close()))
    await server?.stop()
  }
  const database: Database = {
    kysely,
    accounts,
    pool,
    ownerUrl: urls.ownerUrl,
    appUrl: urls.appUrl,
    embedded: server !== undefined,
    get receives() {
      return listener.receives
    },
    usage: () => ({ pools: [...pools].map((one) => one.usage), listenerSilentMs: listener.silentMs }),
    async migrate(folder) {
      if (auth === 'address') await requireAuthSignIn(accounts)
      const { owns, user } = await ownerAt(urls.ownerUrl)
      if (!owns) {
        const report = await requireMigrated(urls.ownerUrl, folder)
        await requireQueue(urls.appUrl, user)
        return { ...report, owns }
      }
      const report = await migrate(urls.ownerUrl, folder, { appSignsIn: signsInAsApp(urls.appUrl), auth })
      await migrateQueue(urls.ownerUrl)
      return { ...report, owns }
    },
    async requireRole() {
      const direct = await openClient(urls.appUrl, 'groundswell', ORDINARY)
      try {
        const rights = await accountRights(direct)
        // One address for everything, in an installation that an earlier version made.
        if (auth === 'taken' && rights?.app) accounts.kysely = kysely
        const problem =
          (await connectionRoleProblem(direct)) ??
          (await withoutWorkspace(database, roleProblem)) ??
          (await authProblem(accounts.kysely === kysely ? null : accounts, rights))
        if (problem !== null) throw new RoleError(`${problem}: see "Database roles" in docs/operations.md.`)
      } finally {
        await direct.end().catch(() => undefined)
      }
    },
    directPool: (size, name) => makePool(urls.appUrl, { size, name, settings: sessionSettings(ORDINARY) }),
    deliver,
    startListening: () => listener.start(),
    async listen(channel, onMessage, gaps) {
      const stopListening = await listener.listen(channel, onMessage, gaps)
      const receiving = receivers.get(channel) ?? new Set()
      receivers.set(channel, receiving.add(onMessage))
      return async () => {
        receiving.delete(onMessage)
        await stopListening()
      }
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
  return database
}

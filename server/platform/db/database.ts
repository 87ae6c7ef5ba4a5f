import { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { migrateQueue, requireQueue } from '../queue/schema.ts'
import { AppDialect } from './app-dialect.ts'
import { APP_ROLE, asAppRole, signsInAsApp } from './connection.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts'
import { openClient } from './guarded-client.ts'
import { beginAs, ORDINARY, pooledSettings, sessionSettings } from './limits.ts'
import { Listener, type ListenGaps, type StopListening } from './listener.ts'
import { type MigrationReport, migrate, requireMigrated } from './migrate.ts'
import { ownerAt } from './owner.ts'
import { GuardedPool, type PoolOptions, type PoolUsage } from './pool.ts'
import { connectionRoleProblem, RoleError, roleProblem } from './roles.ts'
import type { DB } from './schema.ts'
import { withoutWorkspace } from './tenant.ts'

/** An open database: the private one, or the server at DATABASE_URL. Both are used in the same way. */
export interface Database {
  /** The query builder, as the app's role. Tenants' rows need `inWorkspace`. */
  kysely: Kysely<DB>
  /** The same connections without the query builder and, where DATABASE_URL signs in as another, without the app's role. */
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
   * Throws a RoleError, with a message for the operator, unless transactions and direct connections run as the app's role and
   * row-level security applies to it.
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

export interface OpenOptions {
  /** Stop the private server too if this process is killed: for data that ends with the process. */
  stopWithParent?: boolean
  /** The most connections that the pool holds (default 10). */
  poolSize?: number
}

const POOL_SIZE = 10

/** Opens the configured database, starting the private server when there is no DATABASE_URL. */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseAdminUrl'>,
  log: Log,
  options: OpenOptions = {},
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl, databaseDirectUrl = databaseUrl, databaseAdminUrl = databaseDirectUrl } = config
    const urls = {
      ownerUrl: databaseAdminUrl,
      appUrl: asAppRole(databaseDirectUrl),
      // A pooler refuses start-up options, and each transaction takes the app's role itself.
      poolUrl: databaseDirectUrl === databaseUrl ? asAppRole(databaseUrl) : databaseUrl,
    }
    return connect(urls, log, options)
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log, stopWithParent: options.stopWithParent })
  return connect(server, log, options, server)
}

/** Uses a running server by its addresses. `poolUrl`: for the pool, if it is not `appUrl`; it may lead through a pooler. */
export function connect(
  urls: { ownerUrl: string; appUrl: string; poolUrl?: string },
  log: Log,
  options: OpenOptions = {},
  server?: EmbeddedServer,
): Database {
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
    await pool.close()
    await server?.stop()
  }
  const database: Database = {
    kysely,
    pool,
    ownerUrl: urls.ownerUrl,
    appUrl: urls.appUrl,
    embedded: server !== undefined,
    get receives() {
      return listener.receives
    },
    usage: () => ({ pools: [...pools].map((one) => one.usage), listenerSilentMs: listener.silentMs }),
    async migrate(folder) {
      const { owns, user } = await ownerAt(urls.ownerUrl)
      if (!owns) {
        const report = await requireMigrated(urls.ownerUrl, folder)
        await requireQueue(urls.appUrl, user)
        return { ...report, owns }
      }
      const report = await migrate(urls.ownerUrl, folder, { appSignsIn: signsInAsApp(urls.appUrl) })
      await migrateQueue(urls.ownerUrl)
      return { ...report, owns }
    },
    async requireRole() {
      const direct = await openClient(urls.appUrl, 'groundswell', ORDINARY)
      try {
        const problem = (await connectionRoleProblem(direct)) ?? (await withoutWorkspace(database, roleProblem))
        if (problem !== null) throw new RoleError(`${problem}: see "Database roles" in docs/operations.md.`)
      } finally {
        await direct.end().catch(() => undefined)
      }
    },
    directPool: (size, name) => makePool(urls.appUrl, { size, name, settings: sessionSettings(ORDINARY) }),
    deliver(channel, payload) {
      for (const receive of receivers.get(channel) ?? []) receive(payload)
    },
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

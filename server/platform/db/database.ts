import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { migrateQueue, requireQueue } from '../queue/schema.ts'
import { asAppRole, signsInAsApp } from './connection.ts'
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts'
import { type ListenGaps, listen, type StopListening } from './listen.ts'
import { type MigrationReport, migrate, requireMigrated } from './migrate.ts'
import { ownerAt } from './owner.ts'
import { createPool, endPool } from './pool.ts'
import type { DB } from './schema.ts'

/** An open database: the private one, or the server at DATABASE_URL. Both are used in the same way. */
export interface Database {
  /** The query builder, as the app's role. Tenants' rows need `inWorkspace`. */
  kysely: Kysely<DB>
  /** The same connections without the query builder. */
  pool: pg.Pool
  /**
   * For migrations, backup and restore only: row-level security may not apply to it. Without DATABASE_ADMIN_URL it is
   * DATABASE_URL, whose user may not be the owner: see `ownerAt`.
   */
  ownerUrl: string
  /** For long-lived connections (LISTEN, the queue), as the app's role. Never through a pooler in transaction mode. */
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
  /** Receives NOTIFY on a channel until the returned function is called. A message of this process may arrive twice: see `notify`. */
  listen(channel: string, onMessage: (payload: string) => void, gaps?: ListenGaps): Promise<StopListening>
  /** Closes every connection, and the private server unless another process still uses it. */
  stop(): Promise<void>
}

export interface OpenOptions {
  /** Stop the private server too if this process is killed: for data that ends with the process. */
  stopWithParent?: boolean
  /** The most connections that the pool holds (default 10). A process takes about ten more; the private server has 200. */
  poolSize?: number
}

/** Opens the configured database, starting the private server when there is no DATABASE_URL. */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseAdminUrl'>,
  log: Log,
  options: OpenOptions = {},
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl, databaseDirectUrl = databaseUrl, databaseAdminUrl = databaseUrl } = config
    const urls = {
      ownerUrl: databaseAdminUrl,
      appUrl: asAppRole(databaseDirectUrl),
      poolUrl: asAppRole(databaseUrl),
    }
    return connect(urls, log, options)
  }
  const server = await startEmbedded({ dataDir: config.dataDir, log, stopWithParent: options.stopWithParent })
  return connect(server, log, options, server)
}

/** Uses a running server by its addresses. `poolUrl`: for the pool, if it is not `appUrl`. */
export function connect(
  urls: { ownerUrl: string; appUrl: string; poolUrl?: string },
  log: Log,
  options: OpenOptions = {},
  server?: EmbeddedServer,
): Database {
  const pool = createPool(urls.poolUrl ?? urls.appUrl, { size: options.poolSize ?? 10, name: 'groundswell', log })
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const listeners = new Set<StopListening>()
  const receivers = new Map<string, Set<(payload: string) => void>>()
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await Promise.all([...listeners].map((stopListening) => stopListening()))
    await endPool(pool)
    await server?.stop()
  }
  return {
    kysely,
    pool,
    ownerUrl: urls.ownerUrl,
    appUrl: urls.appUrl,
    embedded: server !== undefined,
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
    deliver(channel, payload) {
      for (const receive of receivers.get(channel) ?? []) receive(payload)
    },
    async listen(channel, onMessage, gaps) {
      const stopListening = await listen(urls.appUrl, channel, onMessage, { log, ...gaps })
      const receiving = receivers.get(channel) ?? new Set()
      receivers.set(channel, receiving.add(onMessage))
      listeners.add(stopListening)
      return async () => {
        receiving.delete(onMessage)
        listeners.delete(stopListening)
        await stopListening()
      }
    },
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

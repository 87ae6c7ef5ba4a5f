import path from 'node:path'
import { keepRetention } from './features/audit/index.ts'
import { withCaches } from './platform/caches.ts'
import type { Config } from './platform/config/config.ts'
import { type OpenOptions, openDatabase } from './platform/db/database.ts'
import { createLog } from './platform/log/log.ts'
import { createQueue } from './platform/queue/queue.ts'
import { loadKey } from './platform/secrets/key.ts'
import type { Services } from './platform/services.ts'
import { within } from './platform/within.ts'
import { explainStart } from './start-problem.ts'

/** The folder with the migrations of this version. */
export const migrationsFolder = path.join(import.meta.dirname, 'migrations')

/** `graceSeconds`: how long running work may take to finish, 15 by default. */
export type Booted = { services: Services; stop: (options?: { graceSeconds?: number }) => Promise<void> }

/** `listens`: the process runs until it is stopped and needs the database's notifications, so that it must not start without them. */
type BootOptions = OpenOptions & { listens?: boolean }

/** How long the caches may take to be disposed: one may wait for a database that no longer answers. */
const DISPOSE_MS = 1_000

/**
 * Everything a process needs to start: an up-to-date database whose rules apply to it, the queue, the key. What was started is
 * stopped again when a later step fails, so that a failed start leaves nothing running. A wrong address of the database and a data folder that
 * cannot be written are named in the error.
 */
export async function boot(config: Config, options: BootOptions = {}): Promise<Booted> {
  try {
    return await start(config, options)
  } catch (error) {
    throw explainStart(error, config)
  }
}

async function start(config: Config, options: BootOptions): Promise<Booted> {
  const log = createLog(config)
  const key = await loadKey(config)
  const { pool: poolSize, auth: authPoolSize } = config.databaseConnections
  const db = await openDatabase(config, log, { poolSize, authPoolSize, ...options })
  try {
    const { owns } = await db.migrate(migrationsFolder)
    if (owns) await keepRetention(db.ownerUrl, config)
    await db.requireRole()
    if (options.listens) await db.startListening()
    const queue = await createQueue({ db, log, connections: config.databaseConnections.queue })
    const services = withCaches({ config, log, db, queue, key, now: () => new Date() })
    return {
      services,
      async stop(options) {
        await queue.stop(options)
        const disposed = services.caches.dispose()
        try {
          if (await within(disposed, DISPOSE_MS)) await disposed
        } finally {
          await db.stop()
        }
      },
    }
  } catch (error) {
    await db.stop()
    throw error
  }
}

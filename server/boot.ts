import path from 'node:path'
import { keepRetention } from './features/audit/index.ts'
import { withCaches } from './platform/caches.ts'
import type { Config } from './platform/config/config.ts'
import { type OpenOptions, openDatabase } from './platform/db/database.ts'
import { createLog } from './platform/log/log.ts'
import { createQueue } from './platform/queue/queue.ts'
import { loadKey } from './platform/secrets/key.ts'
import type { Services } from './platform/services.ts'

export const migrationsFolder = path.join(import.meta.dirname, 'migrations')

/** `graceSeconds`: how long running work may take to finish, 20 by default. */
export type Booted = { services: Services; stop: (options?: { graceSeconds?: number }) => Promise<void> }

/**
 * Everything a process needs to start: an up-to-date database, the queue, the key. What was started is stopped again
 * when a later step fails, so that a failed start leaves nothing running.
 */
export async function boot(config: Config, options: OpenOptions = {}): Promise<Booted> {
  const log = createLog(config)
  const key = await loadKey(config)
  const db = await openDatabase(config, log, options)
  try {
    const { owns } = await db.migrate(migrationsFolder)
    if (owns) await keepRetention(db.ownerUrl, config)
    const queue = await createQueue({ url: db.appUrl, log })
    const services = withCaches({ config, log, db, queue, key, now: () => new Date() })
    return {
      services,
      async stop(options) {
        await queue.stop(options)
        try {
          await services.caches.dispose()
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

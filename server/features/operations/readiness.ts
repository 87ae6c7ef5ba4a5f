import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { appliedVersion } from '../../platform/db/applied-version.ts'
import { roleProblem } from '../../platform/db/roles.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { diskOf } from '../../platform/files/disk.ts'
import type { Services } from '../../platform/services.ts'
import { within } from '../../platform/within.ts'
import { stopping } from './drain.ts'
import { isReadOnly, queueIsThere } from './store.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const TIMEOUT_MS = 3_000
/** Four segments of the database's log: with less, the private database stops at any moment. */
const KEEP_FREE_BYTES = 64 * 1024 ** 2

/**
 * Returns a check that names what the server still waits for: a text with every reason, or null while the database can be written to, it, its
 * migrations and the queue are ready, the product works as its own role, changes by other processes are received, and the disk of the
 * private database has space left, and the process is not about to stop. It takes at most three seconds, even while the database does not respond.
 */
export function readiness(
  services: Pick<Services, 'caches' | 'config' | 'db' | 'log'>,
  { keepFree = KEEP_FREE_BYTES }: { keepFree?: number } = {},
): () => Promise<string | null> {
  const { caches, config, db, log } = services
  let newest: Promise<number> | undefined
  const askDatabase = async (): Promise<(string | null)[]> => {
    newest ??= newestMigration()
    const wanted = await newest
    return withoutWorkspace(db, async (tx) => [
      await roleProblem(tx),
      (await isReadOnly(tx)) ? 'The database accepts no writes at the moment' : null,
      (await appliedVersion(tx)) < wanted ? 'The database is not up to date yet' : null,
      (await queueIsThere(tx)) ? null : 'The queue is not there yet',
    ])
  }
  const inTime = async (): Promise<(string | null)[]> => {
    const asked = askDatabase().catch((error: Error) => {
      log.warn({ err: error.message }, 'not ready')
      return ['The database cannot be reached']
    })
    return (await within(asked, TIMEOUT_MS)) ? asked : ['The database does not answer']
  }
  return async () => {
    const [database, disk] = await Promise.all([inTime(), db.embedded ? diskOf(config.dataDir) : null])
    const reasons = [
      caches.of(stopping).began ? 'This process is stopping' : null,
      db.receives ? null : 'This process does not receive changes from the database at the moment',
      ...database,
      disk && disk.free < keepFree ? 'The disk of the database is full' : null,
    ].filter((reason) => reason !== null)
    return reasons.length === 0 ? null : reasons.join('; ')
  }
}

async function newestMigration(): Promise<number> {
  const names = await readdir(MIGRATIONS)
  return Math.max(0, ...names.filter((name) => name.endsWith('.sql')).map((name) => Number(name.slice(0, 4))))
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { appliedVersion } from '../../platform/db/applied-version.ts'
import { roleProblem } from '../../platform/db/roles.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { queueIsThere } from './store.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const TIMEOUT_MS = 3_000

/**
 * Returns a check of what the server still waits for: a text, or null while database, migrations and queue are
 * ready, the product works as its own role, and changes by other processes are received. It takes at most three seconds, even while the database does not respond.
 */
export function readiness(services: Pick<Services, 'db' | 'log'>): () => Promise<string | null> {
  let newest: Promise<number> | undefined
  const ask = async (): Promise<string | null> => {
    if (!services.db.receives) return 'This process does not receive changes from the database at the moment'
    newest ??= newestMigration()
    const wanted = await newest
    return withoutWorkspace(services.db, async (tx) => {
      const role = await roleProblem(tx)
      if (role !== null) return role
      if ((await appliedVersion(tx)) < wanted) return 'The database is not up to date yet'
      return (await queueIsThere(tx)) ? null : 'The queue is not there yet'
    })
  }
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve('The database does not answer'), TIMEOUT_MS)
    try {
      return await Promise.race([ask(), late])
    } catch (error) {
      services.log.warn({ err: (error as Error).message }, 'not ready')
      return 'The database cannot be reached'
    } finally {
      clearTimeout(timer)
    }
  }
}

async function newestMigration(): Promise<number> {
  const names = await readdir(MIGRATIONS)
  return Math.max(0, ...names.filter((name) => name.endsWith('.sql')).map((name) => Number(name.slice(0, 4))))
}

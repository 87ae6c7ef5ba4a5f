import { withDatabase } from '../../platform/db/connection.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { hasKey } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { countStored, withTemporaryDatabase } from './drill-store.ts'
import { BackupError } from './format.ts'
import { type Restored, restoreBackup } from './restore.ts'

/** What was restored, and for how long it took. */
type Drill = { rows: number; tables: number; seconds: number; secrets: Restored['secrets'] }

/**
 * Restores a backup into a temporary database on the same server, counts its rows, and removes it again. Throws where the backup cannot be
 * restored, or where the database does not hold what the file holds. The installation itself is not touched.
 */
export async function drillBackup(
  services: Pick<Services, 'db' | 'key'>,
  lines: AsyncIterable<string>,
  migrations: string,
): Promise<Drill> {
  const started = performance.now()
  return withTemporaryDatabase(services.db.ownerUrl, async (name) => {
    const ownerUrl = withDatabase(services.db.ownerUrl, name)
    await migrate(ownerUrl, migrations, { appSignsIn: true })
    const { rows, secrets } = await restoreBackup(ownerUrl, lines, {
      migrations,
      keep: async () => undefined,
      hasKey: (id) => hasKey(services.key, id),
    })
    const stored = await countStored(ownerUrl)
    if (stored.rows < rows)
      throw new BackupError(`Of ${rows} rows of the backup, ${stored.rows} are there after a restore.`)
    return { rows: stored.rows, tables: stored.tables, seconds: (performance.now() - started) / 1000, secrets }
  })
}

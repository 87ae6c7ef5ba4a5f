import { migrationsFolder } from '../boot.ts'
import { version } from '../features/operations/index.ts'
import { readConfig } from '../platform/config/config.ts'
import { openDatabase } from '../platform/db/database.ts'
import { readPending } from '../platform/db/migrate.ts'
import { breaksOf, type LockMode, locksOf } from '../platform/db/migration-locks.ts'
import { createLog } from '../platform/log/log.ts'
import { withInstallation } from './installation.ts'

/** Brings the database up to date: opening an installation as the owner of its tables does that. */
export async function migrateNow(): Promise<void> {
  await withInstallation(async () => {
    process.stdout.write('The database is up to date.\n')
  })
}

const EFFECTS: Record<LockMode, string> = {
  'row exclusive': 'changes rows of',
  share: 'nobody writes while an index is built:',
  'share row exclusive': 'nobody writes, for an instant:',
  'access exclusive': 'nobody reads or writes, for an instant:',
}

/**
 * Prints the migrations that this version would apply, the locks they take of tables that are there, and what they drop or rename under an
 * earlier version that still runs. Changes nothing, and calls nothing but the database.
 */
export async function checkUpgrade(): Promise<void> {
  const config = readConfig()
  const db = await openDatabase(config, createLog({ ...config, logLevel: 'error' }))
  try {
    const { version: from, applied, pending } = await readPending(db.ownerUrl, migrationsFolder)
    if (pending.length === 0) {
      process.stdout.write(`The database is at version ${from}, as Groundswell ${version} needs it. Nothing to do.\n`)
      return
    }
    process.stdout.write(
      `Groundswell ${version} applies ${pending.length} migrations to the database, which is at ${from}:\n`,
    )
    let before = applied
    let breaks = 0
    for (const { name, sql } of pending) {
      process.stdout.write(`\n${name}\n`)
      const locks = from === 0 ? [] : locksOf(sql, before)
      for (const [mode, effect] of Object.entries(EFFECTS)) {
        const tables = locks.filter((lock) => lock.mode === mode).map(({ table }) => table)
        if (tables.length > 0) process.stdout.write(`  ${effect} ${tables.join(', ')}\n`)
      }
      if (locks.length === 0) process.stdout.write('  adds only\n')
      for (const one of from === 0 ? [] : breaksOf(sql)) {
        breaks += 1
        process.stdout.write(`  ${one}\n`)
      }
      before += `\n${sql}`
    }
    process.stdout.write(
      breaks > 0
        ? '\nStop every process of the earlier version first: it cannot work with these changes.\n'
        : '\nNothing that the earlier version uses is dropped or renamed.\n',
    )
    process.stdout.write('Make a backup, then: groundswell upgrade\n')
  } finally {
    await db.stop()
  }
}

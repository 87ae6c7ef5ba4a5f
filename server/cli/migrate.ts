import { migrationsFolder } from '../boot.ts'
import { readConfig } from '../platform/config/config.ts'
import { openDatabase } from '../platform/db/database.ts'
import { type PendingUpgrade, readPending } from '../platform/db/migrate.ts'
import { breaksOf, type LockMode, locksOf, type TableLock } from '../platform/db/migration-locks.ts'
import { createLog } from '../platform/log/log.ts'
import { version } from '../platform/version.ts'
import { withInstallation } from './installation.ts'
import type { Terminal } from './terminal.ts'

/** Brings the database up to date: opening an installation as the owner of its tables does that. */
export async function migrateNow(terminal: Terminal): Promise<void> {
  await withInstallation(terminal, async () => {
    terminal.stdout.write('The database is up to date.\n')
  })
}

/** What a lock means for others, the weakest first. */
const EFFECTS: Record<LockMode, string> = {
  'row exclusive': 'changes rows of',
  'share update exclusive': 'checks the rows of',
  share: 'nobody writes',
  'share row exclusive': 'nobody writes',
  'access exclusive': 'nobody reads or writes',
}

const MODES = Object.keys(EFFECTS)
/** These keep nobody from reading and writing. */
const WEAK: readonly LockMode[] = ['row exclusive', 'share update exclusive']

/** A lock is held until its migration ends. That takes an instant unless the migration reads, changes or indexes rows meanwhile. */
function effectOf({ mode, during }: TableLock): string {
  if (WEAK.includes(mode)) return EFFECTS[mode]
  return `${EFFECTS[mode]}${during.length > 0 ? ' until the migration ends:' : ', for an instant:'}`
}

/** `breaks`: the earlier version cannot work with the changes. `held`: a table is locked for longer than an instant. */
function adviceFor(breaks: boolean, held: boolean): string {
  if (breaks) return 'Stop every process of the earlier version first: it cannot work with these changes.'
  const replaced =
    'Nothing that the earlier version uses is dropped or renamed: its processes may run until they are replaced.'
  if (!held) return replaced
  return `${replaced}\nCalls that need a table which is locked until a migration ends wait for it, and fail after 15 s: the more is stored, the longer it takes.`
}

/**
 * Prints the migrations and the files of functions that this version would apply, the locks they take of tables that are there, and what they drop or
 * rename under an earlier version that still runs. Changes nothing, and calls nothing but the database.
 */
export async function checkUpgrade(terminal: Terminal): Promise<void> {
  const config = readConfig(terminal.env)
  const db = await openDatabase(config, createLog({ ...config, logLevel: 'error' }))
  try {
    terminal.stdout.write(describeUpgrade(await readPending(db.ownerUrl, migrationsFolder)))
  } finally {
    await db.stop()
  }
}

/** The text that reports what `readPending` found, with the command to run next. */
export function describeUpgrade({ version: from, applied, adopts, pending, functions }: PendingUpgrade): string {
  if (adopts === null && pending.length + functions.length === 0)
    return `The database is at version ${from}, as Groundswell ${version} needs it. Nothing to do.\n`
  const what = [
    counted(pending.length, 'migration'),
    counted(functions.length, 'file of functions', 'files of functions'),
  ]
  const parts = [
    `Groundswell ${version} applies ${what.filter((one) => one !== '').join(' and ') || 'nothing'} to the database, which is at ${from}:`,
  ]
  if (adopts !== null)
    parts.push(
      `${adopts}\n  takes the place of the migrations before it in the list of what is applied; nothing is executed`,
    )
  let before = applied
  let breaks = 0
  let held = false
  for (const { name, sql } of [...pending, ...functions]) {
    const locks = from === 0 ? [] : locksOf(sql, before)
    const broken = from === 0 ? [] : breaksOf(sql)
    const byMode = locks.toSorted((one, other) => MODES.indexOf(one.mode) - MODES.indexOf(other.mode))
    const effects = [...Map.groupBy(byMode, effectOf)].map(
      ([effect, found]) => `${effect} ${found.map(({ table }) => table).join(', ')}`,
    )
    parts.push([name, ...(effects.length > 0 ? effects : ['adds only']), ...broken].join('\n  '))
    held ||= locks.some((lock) => !WEAK.includes(lock.mode) && lock.during.length > 0)
    breaks += broken.length
    before += `\n${sql}`
  }
  const advice = from === 0 ? 'To apply them' : `${adviceFor(breaks > 0, held)}\nMake a backup, then`
  return `${parts.join('\n\n')}\n\n${advice}: groundswell upgrade\n`
}

function counted(count: number, one: string, many = `${one}s`): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}

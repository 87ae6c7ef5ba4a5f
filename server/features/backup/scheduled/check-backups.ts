import { installedAt } from '../../../platform/db/applied-version.ts'
import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import type { Finding } from '../../checkup/index.ts'
import { backupFolder, storedBackups } from './folder.ts'

const HOUR_MS = 3_600_000
/** Two nights, since a machine may be off for one. */
const LATE_MS = 49 * HOUR_MS

/** What `doctor` reports about scheduled backups: the age of the newest, if there should be one. */
export async function checkBackups(services: Pick<Services, 'config' | 'db' | 'now'>): Promise<Finding[]> {
  const { config, db } = services
  if (!db.embedded) {
    return [
      {
        state: 'notice',
        what: 'Backups of your own PostgreSQL are up to you.',
        advice: 'See "Backups of your own PostgreSQL" in docs/operations.md.',
      },
    ]
  }
  if (config.backups.keep === 0) {
    return [{ state: 'notice', what: 'Scheduled backups are off (BACKUP_KEEP=0).' }]
  }
  const folder = backupFolder(config)
  const advice = 'A worker writes them: see Background jobs in the web app for the reason, or run groundswell backup.'
  const now = services.now().getTime()
  const [newest, ...older] = await storedBackups(folder)
  if (!newest) {
    const since = await withoutWorkspace(db, installedAt)
    const late = since !== null && now - since.getTime() > LATE_MS
    return [
      { state: late ? 'problem' : 'notice', what: `There is no backup in ${folder} yet.`, ...(late ? { advice } : {}) },
    ]
  }
  const age = now - newest.writtenAt.getTime()
  const what = `The newest of ${older.length + 1} backups in ${folder} is ${inHours(age)} old and has ${inMegabytes(newest.bytes)}.`
  return [age > LATE_MS ? { state: 'problem', what, advice } : { state: 'ok', what }]
}

function inHours(ms: number): string {
  const hours = Math.max(0, Math.round(ms / HOUR_MS))
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

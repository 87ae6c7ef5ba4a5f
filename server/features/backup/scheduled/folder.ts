import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../../platform/config/config.ts'
import { PARTIAL } from '../backup-file.ts'

/** A complete scheduled backup. */
export type StoredBackup = { file: string; writtenAt: Date; bytes: number }

/** The time is in UTC and in a form that every file system accepts; names sort by it. */
const NAME = /^groundswell-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.gz$/

/** Where scheduled backups are written. */
export function backupFolder({ backups, dataDir }: Pick<Config, 'backups' | 'dataDir'>): string {
  return backups.folder ?? path.join(dataDir, 'backups')
}

/** The file of a backup that begins at that time. Creates the folder, private to this user. */
export async function newBackupFile(folder: string, at: Date): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return path.join(folder, `groundswell-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.gz`)
}

/** The complete scheduled backups in a folder, the newest first; none where there is no folder. Other files are ignored. */
export async function storedBackups(folder: string): Promise<StoredBackup[]> {
  const found: StoredBackup[] = []
  for (const name of await namesIn(folder)) {
    const [, year, month, day, hour, minute, second] = (NAME.exec(name) ?? []).map(Number)
    if (year === undefined || month === undefined) continue
    const file = path.join(folder, name)
    const { size } = await stat(file)
    found.push({ file, writtenAt: new Date(Date.UTC(year, month - 1, day, hour, minute, second)), bytes: size })
  }
  return found.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime())
}

/** Deletes all scheduled backups but the newest `keep`, and what killed writers left. Call it only while no backup is being written. */
export async function pruneBackups(folder: string, keep: number): Promise<void> {
  for (const { file } of (await storedBackups(folder)).slice(keep)) await rm(file, { force: true })
  for (const name of await namesIn(folder)) {
    if (name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)))
      await rm(path.join(folder, name), { force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

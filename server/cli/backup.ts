import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import readline from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { recordOperator } from '../features/audit/index.ts'
import { BackupError, restoreBackup, writeBackup } from '../features/backup/index.ts'
import { keepKey } from '../platform/secrets/key.ts'
import { withInstallation } from './installation.ts'
import { UsageError } from './usage-error.ts'

/** Writes the file under another name first: a truncated backup never looks complete. */
export async function backup(argument: string, options: { secrets?: boolean }): Promise<void> {
  await withInstallation(async (services) => {
    const lines = writeBackup(services.db.ownerUrl, {
      key: options.secrets ? services.key.bytes : null,
      now: services.now(),
    })
    const fields = { action: 'backup.written', detail: { secrets: options.secrets ?? false } }
    if (argument === '-') {
      await pipeline(Readable.from(lines), createGzip(), process.stdout)
      await recordOperator(services, fields)
      return
    }
    const file = path.resolve(process.env.INIT_CWD ?? process.cwd(), argument)
    const side = `${file}.partial`
    try {
      await pipeline(Readable.from(lines), createGzip(), createWriteStream(side, { mode: 0o600 }))
      const handle = await open(side, 'r')
      await handle.sync()
      await handle.close()
      await rename(side, file)
    } catch (error) {
      await rm(side, { force: true })
      throw error
    }
    await recordOperator(services, fields)
    process.stdout.write(
      `Backup written to ${file}${options.secrets ? '. It holds secrets: keep it safe.' : ' (without secrets).'}\n`,
    )
  })
}

/** Reads a backup into this installation, which must not hold an account yet. */
export async function restore(argument: string): Promise<void> {
  const file = argument === '-' ? null : path.resolve(process.env.INIT_CWD ?? process.cwd(), argument)
  await withInstallation(async (services) => {
    const source = file ? createReadStream(file) : process.stdin
    const unzipped = createGunzip()
    const reading = pipeline(source, unzipped).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new UsageError(`There is no file ${file}.`)
      if (error.code?.startsWith('Z_'))
        throw new BackupError('This file is not a Groundswell backup, or it is truncated.')
      throw error
    })
    const lines = readline.createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })
    const restoring = restoreBackup(services.db.ownerUrl, lines, async (key) => {
      await keepKey(services.config, key)
    })
    // A file that cannot be read ends the lines early: report the read error.
    const [read, restored] = await Promise.allSettled([reading, restoring])
    if (read.status === 'rejected') throw read.reason
    if (restored.status === 'rejected') throw restored.reason
    await recordOperator(services, { action: 'backup.restored', detail: { rows: restored.value.rows } })
    process.stdout.write(`Restored ${restored.value.rows} rows. Everyone signs in again.\n`)
    if (restored.value.waiting > 0) {
      process.stdout.write(
        `${restored.value.waiting} connections were restored without their secrets and must be connected again.\n`,
      )
    }
  })
}

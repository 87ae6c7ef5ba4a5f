import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { migrationsFolder } from '../boot.ts'
import { recordOperator } from '../features/audit/index.ts'
import {
  backupFolder,
  drillBackup,
  openBackup,
  type Restored,
  restoreBackup,
  storedBackups,
  writeBackup,
  writeBackupFile,
} from '../features/backup/index.ts'
import { keepKey } from '../platform/secrets/key.ts'
import { hasKey } from '../platform/secrets/seal.ts'
import { withInstallation } from './installation.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Writes a backup now. */
export async function backup(terminal: Terminal, argument: string, options: { secrets?: boolean }): Promise<void> {
  const file = argument === '-' ? null : pathOf(terminal, argument)
  if (file) await requireFolderOf(file)
  await withInstallation(terminal, async (services) => {
    let sealedBefore = 0
    const lines = writeBackup(services.db.ownerUrl, {
      key: options.secrets ? services.key.bytes : null,
      now: services.now(),
      onSecret: (keyId) => {
        if (keyId !== services.key.id) sealedBefore += 1
      },
    })
    const warn = () => {
      if (sealedBefore > 0) terminal.stderr.write(aboutEarlierKeys(sealedBefore))
    }
    const fields = { action: 'backup.written', detail: { secrets: options.secrets ?? false } }
    if (!file) {
      await pipeline(Readable.from(lines), createGzip(), terminal.stdout, { end: false })
      await recordOperator(services, fields)
      warn()
      return
    }
    await writeBackupFile(file, lines)
    await recordOperator(services, fields)
    terminal.stdout.write(
      `Backup written to ${file}${options.secrets ? '. It holds secrets: keep it safe.' : ' (without secrets).'}\n`,
    )
    warn()
  })
}

const aboutEarlierKeys = (count: number): string =>
  `${count} of its secrets ${count === 1 ? 'is' : 'are'} sealed with an earlier key, which is not in it. Run "groundswell admin rotate-keys" and make the backup again, or keep that key too.\n`

/** Reads a backup into this installation, which must not hold an account yet. A file that is no backup opens nothing. */
export async function restore(terminal: Terminal, argument: string): Promise<void> {
  const lines = await openBackup(argument === '-' ? terminal.stdin : await openFile(pathOf(terminal, argument)))
  await withInstallation(terminal, async (services) => {
    const restored = await restoreBackup(services.db.ownerUrl, lines, {
      migrations: migrationsFolder,
      keep: async (key) => {
        await keepKey(services.config, key)
      },
      hasKey: (id) => hasKey(services.key, id),
    })
    await recordOperator(services, { action: 'backup.restored', detail: { rows: restored.rows } })
    terminal.stdout.write(`Restored ${restored.rows} rows. Everyone signs in again.\n`)
    if (restored.secrets === 'sealed with another key' || restored.secrets === 'partly sealed with another key') {
      terminal.stdout.write(
        `${ABOUT_SECRETS[restored.secrets]} To keep them, restore into an installation with the secret.key that they were sealed with.\n`,
      )
    }
    if (restored.waiting > 0) {
      terminal.stdout.write(
        `${restored.waiting} connections were restored without their secrets and must be connected again.\n`,
      )
    }
  })
}

/** Proves that a backup can be restored: the given one, or the newest scheduled one. */
export async function drill(terminal: Terminal, argument: string | undefined): Promise<void> {
  const given = argument === undefined ? null : await openFile(pathOf(terminal, argument))
  await withInstallation(terminal, async (services) => {
    const [newest] = await storedBackups(backupFolder(services.config))
    if (!given && !newest) {
      throw new UsageError(
        `There is no backup in ${backupFolder(services.config)} yet. Make one with "groundswell backup FILE", and name it: "groundswell backup drill FILE".`,
      )
    }
    const file = argument === undefined ? newest?.file : pathOf(terminal, argument)
    const lines = await openBackup(given ?? (await openFile(file ?? '')))
    const { rows, tables, seconds, secrets } = await drillBackup(services, lines, migrationsFolder)
    terminal.stdout.write(
      `${file} can be restored: ${rows} rows in ${tables} tables, in ${seconds.toFixed(1)} s, into a temporary database that was removed again.\n`,
    )
    terminal.stdout.write(`${ABOUT_SECRETS[secrets]}\n`)
  })
}

const ABOUT_SECRETS: Record<Restored['secrets'], string> = {
  none: 'It holds no secrets: after a restore, connections must be connected again.',
  restored: 'Its secrets can be opened.',
  'partly sealed with another key':
    'Some of its secrets are sealed with an earlier key, which neither it nor this installation has.',
  'sealed with another key': 'Its secrets are sealed with a key that this installation does not have.',
}

async function openFile(file: string): Promise<Readable> {
  try {
    const handle = await open(file)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
  } catch (error) {
    throw new UsageError(refusal(file, error))
  }
  throw new UsageError(`${file} is not a file.`)
}

/** Throws unless a file can be created in the folder of this one. */
async function requireFolderOf(file: string): Promise<void> {
  const folder = path.dirname(file)
  try {
    await access(folder, constants.W_OK)
    if ((await stat(folder)).isDirectory()) return
  } catch (error) {
    throw new UsageError(refusal(folder, error))
  }
  throw new UsageError(`${folder} is not a folder.`)
}

function refusal(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `There is no ${file}.`
  if (code === 'EACCES' || code === 'EPERM') return `${file} may not be opened by this user.`
  if (code === 'EROFS') return `${file} is on a read-only file system.`
  return message
}

import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, decodeKey } from '../config/config.ts'
import { type Key, keyFrom } from './seal.ts'

const FILE_NAME = 'secret.key'

/** The key file is there but cannot be used; the message says what to do. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

/**
 * The sealing key: GROUNDSWELL_KEY, or `secret.key` in the data folder, made on first use.
 * The file is written whole and synced under another name and then linked into place, so a crash leaves no half
 * key and of two processes that start at once both end with the one that was first.
 */
export async function loadKey(config: Pick<Config, 'dataDir' | 'key'>): Promise<Key> {
  if (config.key !== undefined) return parse(config.key, 'GROUNDSWELL_KEY')
  const path = join(config.dataDir, FILE_NAME)
  const kept = await read(path)
  if (kept) return kept
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await create(config.dataDir, path)
  const made = await read(path)
  if (!made) throw new KeyFileError(`${path} vanished while it was being made`)
  return made
}

/**
 * Makes the key that came with a backup the one of this installation, in place of the key file's. The old file stays
 * beside it under a name with the old key's id. A key given by GROUNDSWELL_KEY is not ours to change: then the two must be the same.
 */
export async function keepKey(config: Pick<Config, 'dataDir' | 'key'>, bytes: Buffer): Promise<Key> {
  const key = keyFrom(bytes)
  if (config.key !== undefined) {
    if (parse(config.key, 'GROUNDSWELL_KEY').id === key.id) return key
    throw new KeyFileError(
      `the backup was sealed with key ${key.id}, which is not the one in GROUNDSWELL_KEY: set that variable to the old key`,
    )
  }
  const path = join(config.dataDir, FILE_NAME)
  const old = await read(path)
  if (old?.id === key.id) return key
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const side = await writeSide(path, bytes)
  if (old) await copyFile(path, `${path}.${old.id}`)
  await rename(side, path)
  await syncFolder(config.dataDir)
  return key
}

async function read(path: string): Promise<Key | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new KeyFileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new KeyFileError(`${path} can be read by other users of this machine: run chmod 600 on it`)
  }
  return parse(text, path)
}

async function create(folder: string, path: string): Promise<void> {
  const side = await writeSide(path, randomBytes(32))
  try {
    await link(side, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(side)
  }
  await syncFolder(folder)
}

async function writeSide(path: string, bytes: Buffer): Promise<string> {
  const side = `${path}.${randomUUID()}`
  const file = await open(side, 'wx', 0o600)
  try {
    await file.writeFile(`${bytes.toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return side
}

/** Without this the new name may be lost in a power cut. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function parse(text: string, where: string): Key {
  const bytes = decodeKey(text)
  if (!bytes) throw new KeyFileError(`${where} does not hold a key of 32 bytes in base64 or hex`)
  return keyFrom(bytes)
}

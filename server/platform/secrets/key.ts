import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { copyFile, link, mkdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { decodeKey } from '../config/values.ts'
import { replaceFile, sync, writeBeside } from '../files/replace-file.ts'
import { type Key, keyFrom } from './seal.ts'

const FILE_NAME = 'secret.key'
const REREAD_MS = 1_000

/** The key file exists but cannot be used; the message says what to do. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

/**
 * The sealing key: GROUNDSWELL_KEY, or the first line of `secret.key` in the data folder, created on first use. Keys that were
 * in use before open what they sealed: those of GROUNDSWELL_OLD_KEYS, or the file's other lines. A process whose file has since got
 * a new key loads it when it first has to open something that was sealed with it.
 * The file is written and synced under another name and then linked into place, so a crash leaves no partial
 * key, and two processes that start at once both use the first one.
 */
export async function loadKey(config: Pick<Config, 'dataDir' | 'key' | 'oldKeys'>): Promise<Key> {
  if (config.key !== undefined) return givenKey(config.key, config.oldKeys)
  const path = join(config.dataDir, FILE_NAME)
  const kept = await read(path)
  if (kept) return fileKey(path, kept)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await create(config.dataDir, path)
  const made = await read(path)
  if (!made) throw new KeyFileError(`${path} vanished while it was being made`)
  return fileKey(path, made)
}

/**
 * Makes the key that came with a backup the one of this installation. The keys of the key file follow it there as earlier ones, and the old
 * file stays next to it under a name with its key's id. GROUNDSWELL_KEY cannot be changed here: then the two must be the same.
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
  const known = await readAll(path)
  const [old] = known
  if (old?.id === key.id) return key
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  if (old) await copyFile(path, `${path}.${old.id}`)
  const earlier = known.filter(({ id }) => id !== key.id)
  await replaceFile(path, contentOf(bytes, ...earlier.map((one) => one.bytes)))
  return key
}

/**
 * Makes a new key the one of this installation and leaves the earlier ones in the same file; null when the key comes from
 * GROUNDSWELL_KEY, which cannot be changed here. Once everything is sealed with the new one, `forgetOldKeys` drops the others.
 */
export async function renewKey(config: Pick<Config, 'dataDir' | 'key'>): Promise<Key | null> {
  if (config.key !== undefined) return null
  const path = join(config.dataDir, FILE_NAME)
  const old = await readAll(path)
  const bytes = randomBytes(32)
  await replaceFile(path, contentOf(bytes, ...old.map((key) => key.bytes)))
  return fileKey(path, keyFrom(bytes))
}

/** Drops all keys but the newest and the one before, which running processes may still use for a moment. */
export async function forgetOldKeys(config: Pick<Config, 'dataDir'>): Promise<void> {
  const path = join(config.dataDir, FILE_NAME)
  const keys = await readAll(path)
  if (keys.length > 2) await replaceFile(path, contentOf(...keys.slice(0, 2).map((key) => key.bytes)))
}

function givenKey(text: string, oldKeys: readonly string[] = []): Key {
  const old = new Map(oldKeys.map((one) => parse(one, 'GROUNDSWELL_OLD_KEYS')).map((key) => [key.id, key.bytes]))
  return { ...parse(text, 'GROUNDSWELL_KEY'), find: (id) => old.get(id) ?? null }
}

/** A key whose file is read again, at most once a second, when something was sealed with an unknown one. */
function fileKey(path: string, { id, bytes }: Key): Key {
  let known = new Map([[id, bytes]])
  let readAt = Number.NEGATIVE_INFINITY
  const key: Key = {
    id,
    bytes,
    find(wanted) {
      if (!known.has(wanted) && performance.now() - readAt > REREAD_MS) {
        readAt = performance.now()
        const [current, ...older] = keysIn(readFileSync(path, 'utf8'), path)
        if (current) Object.assign(key, { id: current.id, bytes: current.bytes })
        known = new Map([
          ...known,
          ...[current, ...older].flatMap((one) => (one ? [[one.id, one.bytes] as const] : [])),
        ])
      }
      return known.get(wanted) ?? null
    },
  }
  return key
}

async function read(path: string): Promise<Key | null> {
  return (await readAll(path))[0] ?? null
}

/** The keys of the file, the newest first; none when there is no file. */
async function readAll(path: string): Promise<Key[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    // It is the folder that is wrong.
    if (code === 'ENOTDIR') throw error
    throw new KeyFileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new KeyFileError(`${path} can be read by other users of this machine: run chmod 600 on it`)
  }
  return keysIn(text, path)
}

function keysIn(text: string, path: string): Key[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (lines.length === 0 ? [''] : lines).map((line) => parse(line, path))
}

async function create(folder: string, path: string): Promise<void> {
  const side = await writeBeside(path, contentOf(randomBytes(32)))
  try {
    await link(side, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(side)
  }
  await sync(folder)
}

const contentOf = (...keys: readonly Buffer[]): string => keys.map((bytes) => `${bytes.toString('base64')}\n`).join('')

function parse(text: string, where: string): Key {
  const bytes = decodeKey(text)
  if (!bytes) throw new KeyFileError(`${where} does not hold a key of 32 bytes in base64 or hex`)
  return keyFrom(bytes)
}

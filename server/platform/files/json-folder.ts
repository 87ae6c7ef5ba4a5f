import type { Stats } from 'node:fs'
import { constants, type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'

/** The largest file that is read at once, in bytes. */
export const MAX_JSON_BYTES = 64 * 1024 ** 2

/** Reasons why a file cannot be used. */
export const NOT_TEXT = 'It is not text in UTF-8'
/** The message of a file that is text, but not JSON. */
export const NOT_JSON = 'It is not JSON'
/** The message of a file without content. */
export const EMPTY = 'It is empty'

/** A file whose content cannot be used; the message is shown on the screen. */
export class BrokenFile extends Error {
  override name = 'BrokenFile'
}

/** The names of the JSON files in a folder, in order; none when the folder does not exist. Anything but plain files is left out. */
export function jsonFilesIn(folder: string): Promise<string[]> {
  return namesIn(folder, (name, found) => found.isFile() && /.\.json$/i.test(name))
}

/** The names of the folders in a folder, in order; none when the folder does not exist. */
export function foldersIn(folder: string): Promise<string[]> {
  return namesIn(folder, (_name, found) => found.isDirectory())
}

/**
 * The real path of the entry that a client named, or null when the folder lists no such entry. Only names
 * from the list are accepted, so no name that leads elsewhere (`..`, separators, escapes, links) gets through.
 */
export async function entryPath(folder: string, names: readonly string[], name: string): Promise<string | null> {
  if (!names.includes(name)) return null
  return insidePath(folder, name)
}

/**
 * Opens a file of at most `largest` bytes for `read`, and closes it. Throws BrokenFile when it is too large or cannot be read. `file` is a real path: a link put
 * there since is not followed.
 */
export async function withPlainFile<T>(
  file: string,
  largest: number,
  read: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  let handle: FileHandle
  try {
    // Without blocking: a pipe put there must not stall the process.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw new BrokenFile(codeOf(error) === 'ENOENT' ? 'It is gone' : 'It cannot be opened')
  }
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new BrokenFile('It is not a plain file')
    if (found.size > largest) throw new BrokenFile(`It is larger than ${sizeInWords(largest)}`)
    return await read(handle)
  } catch (error) {
    if (codeOf(error) === '') throw error
    throw new BrokenFile('It cannot be read')
  } finally {
    await handle.close()
  }
}

/** Differs when a file was replaced or written to. */
export function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(' ')
}

async function namesIn(folder: string, fits: (name: string, found: Stats) => boolean): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return []
    throw error
  }
  const kept: string[] = []
  for (const name of names) {
    if (name.startsWith('.') || !name.isWellFormed()) continue
    const inside = await insidePath(folder, name)
    const found = inside === null ? null : await lstat(inside).catch(() => null)
    if (found && fits(name, found)) kept.push(name)
  }
  return kept.toSorted()
}

/** The real path of an entry, or null when it no longer exists or is outside the folder. */
async function insidePath(folder: string, name: string): Promise<string | null> {
  try {
    const root = await realpath(folder)
    const real = await realpath(path.join(root, name))
    return real.startsWith(root.endsWith(path.sep) ? root : root + path.sep) ? real : null
  } catch {
    return null
  }
}

function sizeInWords(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${Math.floor(bytes / 1024 ** 3)} GiB`
  return bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${bytes} bytes`
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

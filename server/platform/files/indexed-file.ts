import type { FileHandle } from 'node:fs/promises'
import { BrokenFile, stateOf, withPlainFile } from './json-folder.ts'

/** The largest file that is read page by page, in bytes. */
export const MAX_PAGED_BYTES = 1024 ** 3

/** The most bytes of files that one page has, unless its first item alone is larger. */
const MAX_PAGE_BYTES = 8 * 1024 ** 2
const ATTEMPTS = 3

type KeptIndex<I> = { state: string; index: Promise<I> }

/** Reads files by an index that is remembered until the file changes. */
export type IndexedFiles<I> = {
  /**
   * What `read` makes of a file and its index, both of one version of the file. Throws BrokenFile, also for a file of more than `largest` bytes. `file`: a real
   * path. `state`: of that version, as `stateOf`.
   */
  read<T>(
    file: string,
    largest: number,
    read: (handle: FileHandle, index: I, state: string) => Promise<T> | T,
  ): Promise<T>
}

/**
 * Files that are read through once for an index of their parts, and again only when they were changed. An index that was made while the file changed is made
 * again. The indexes of the `most` files that were used last are kept.
 */
export function indexedFiles<I>(indexFile: (handle: FileHandle) => Promise<I>, most: number): IndexedFiles<I> {
  const kept = new Map<string, KeptIndex<I>>()

  const indexOf = (file: string, state: string, handle: FileHandle): KeptIndex<I> => {
    const known = kept.get(file)
    const entry = known?.state === state ? known : { state, index: indexFile(handle) }
    // The last used is the last in order; the first one is dropped.
    kept.delete(file)
    kept.set(file, entry)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    return entry
  }

  return {
    read: (file, largest, read) =>
      repeated(() =>
        withPlainFile(file, largest, async (handle) => {
          const entry = indexOf(file, stateOf(await handle.stat()), handle)
          const forget = () => {
            if (kept.get(file) === entry) kept.delete(file)
          }
          try {
            const outcome = await unlessChanged(handle, entry.state, async () =>
              read(handle, await entry.index, entry.state),
            )
            if (!outcome) forget()
            return outcome
          } catch (error) {
            // Only errors of the file itself are remembered.
            if (!(error instanceof BrokenFile)) forget()
            throw error
          }
        }),
      ),
  }
}

/**
 * What `read` makes of the version of a file that `state` names; null when the file has been replaced since. Throws BrokenFile when it cannot be read. `file`: a
 * real path.
 */
export function readVersion<T>(
  file: string,
  state: string,
  read: (handle: FileHandle) => Promise<T>,
): Promise<{ found: T } | null> {
  return withPlainFile(file, MAX_PAGED_BYTES, async (handle) =>
    stateOf(await handle.stat()) === state ? unlessChanged(handle, state, () => read(handle)) : null,
  )
}

/** Null when the file changes meanwhile. */
async function unlessChanged<T>(
  handle: FileHandle,
  state: string,
  read: () => Promise<T>,
): Promise<{ found: T } | null> {
  const unchanged = async () => stateOf(await handle.stat()) === state
  try {
    const found = await read()
    if (await unchanged()) return { found }
  } catch (error) {
    if (!(error instanceof SyntaxError) && (await unchanged())) throw error
  }
  return null
}

/** Tries something that a change of a file may interrupt, which is null then. Throws BrokenFile when the file changes each time. */
export async function repeated<T>(attempt: () => Promise<{ found: T } | null>): Promise<T> {
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const outcome = await attempt()
    if (outcome) return outcome.found
  }
  throw new BrokenFile('It is being written')
}

/** How many items from the first one are one page: at least one. `sizes`: of the items, in bytes. */
export function itemsOfPage(sizes: readonly number[]): number {
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (index > 0 && bytes > MAX_PAGE_BYTES) return index
  }
  return sizes.length
}

import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { fitting } from '../../platform/files/fitting.ts'
import {
  type IndexedFiles,
  indexedFiles,
  MAX_PAGED_BYTES,
  readVersion,
  repeated,
} from '../../platform/files/indexed-file.ts'
import { BrokenFile, entryPath, foldersIn, jsonFilesIn, MAX_JSON_BYTES } from '../../platform/files/json-folder.ts'
import { readPart } from '../../platform/files/json-parts.ts'
import { Run } from './run.ts'
import { headOf, indexRuns, type PlacedHead, type RunHead } from './run-index.ts'

const KEPT_INDEXES = 256

type Problem = { filename: string; reason: string }

/** All of a directory. */
export type Directory = { runs: Run[]; problems: Problem[] }

/** A directory with only the heads of its runs in memory. */
export type OpenDirectory = {
  heads: RunHead[]
  problems: Problem[]
  /** The runs of some of the heads, in the order of the heads. Null when one of their files has changed since. Throws BrokenFile. */
  read(heads: readonly RunHead[]): Promise<{ found: Run[] } | null>
}

/** The most bytes of a file and of a directory; larger ones are left out. */
type Limits = { file: number; directory: number; directoryName: string }

const PAGED: Limits = { file: MAX_PAGED_BYTES, directory: 2 * 1024 ** 3, directoryName: '2 GiB' }
const WHOLE: Limits = { file: MAX_JSON_BYTES, directory: 256 * 1024 ** 2, directoryName: '256 MiB' }

type RunFiles = {
  directories(): Promise<string[]>
  /** Null when the directory does not exist. A file that cannot be used is left out and reported with the reason. */
  open(name: string): Promise<OpenDirectory | null>
  /** All of a directory, of up to 256 MiB. Null as in `open`. Throws BrokenFile when it changes meanwhile. */
  read(name: string): Promise<Directory | null>
}

/** The comparison directories of an installation. */
export function runFiles({ comparisonsDir, dataDir }: Pick<Config, 'comparisonsDir' | 'dataDir'>): RunFiles {
  const folder = comparisonsDir ?? path.join(dataDir, 'comparisons')
  const files = indexedFiles(indexRuns, KEPT_INDEXES)
  const open = async (name: string, limits: Limits) => {
    const directory = await entryPath(folder, await foldersIn(folder), name)
    return directory === null ? null : openDirectory(files, directory, limits)
  }
  return {
    directories: () => foldersIn(folder),

    open: (name) => open(name, PAGED),

    read: (name) =>
      repeated(async () => {
        const opened = await open(name, WHOLE)
        if (!opened) return { found: null }
        const runs = await opened.read(opened.heads)
        return runs && { found: { runs: runs.found, problems: opened.problems } }
      }),
  }
}

/** A directory that is in memory. */
export function openedDirectory({ runs, problems }: Directory): OpenDirectory {
  const byHead = new Map(runs.map((run) => [headOf(run, Buffer.byteLength(JSON.stringify(run))), run]))
  return {
    heads: [...byHead.keys()],
    problems,
    read: async (heads) => ({ found: heads.flatMap((head) => byHead.get(head) ?? []) }),
  }
}

type OpenFile = { file: string; state: string }

async function openDirectory(
  files: IndexedFiles<PlacedHead[]>,
  directory: string,
  limits: Limits,
): Promise<OpenDirectory> {
  const names = await jsonFilesIn(directory)
  const heads: RunHead[] = []
  const problems: Problem[] = []
  const places = new Map<RunHead, { of: OpenFile; head: PlacedHead }>()
  let left = limits.directory
  for (const filename of names) {
    try {
      const file = await entryPath(directory, names, filename)
      if (file === null) continue
      left -= (await lstat(file)).size
      if (left < 0) throw new BrokenFile(`The directory holds more than ${limits.directoryName}; the rest is left out`)
      await files.read(file, limits.file, (_handle, found, state) => {
        const of = { file, state }
        for (const head of found) {
          heads.push(head)
          places.set(head, { of, head })
        }
      })
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error
      problems.push({ filename, reason: error.message })
    }
  }
  return {
    heads,
    problems,
    async read(asked) {
      const byFile = Map.groupBy(
        asked.flatMap((head) => places.get(head) ?? []),
        ({ of }) => of,
      )
      const runs = new Map<RunHead, Run>()
      for (const [{ file, state }, placed] of byFile) {
        const inOrder = placed.map(({ head }) => head).toSorted((a, b) => a.range.start - b.range.start)
        const outcome = await readVersion(file, state, async (handle) => {
          for (const head of inOrder) runs.set(head, fitting(Run, await readPart(handle, head.range)))
        })
        if (!outcome) return null
      }
      return { found: asked.flatMap((head) => runs.get(head) ?? []) }
    },
  }
}

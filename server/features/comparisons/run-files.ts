import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { fitting } from '../../platform/files/fitting.ts'
import { BrokenFile, entryPath, foldersIn, jsonFilesIn, readJson } from '../../platform/files/json-folder.ts'
import { type Run, runSchemaFor, runsOf } from './run.ts'

/** The most that is read of one directory, in bytes. */
const MAX_DIRECTORY_BYTES = 256 * 1024 ** 2

export type Directory = { runs: Run[]; problems: { filename: string; reason: string }[] }

type RunFiles = {
  directories(): Promise<string[]>
  /** Null when the directory does not exist. A file that cannot be used is left out and reported with the reason. */
  read(name: string): Promise<Directory | null>
}

/** The comparison directories of an installation. */
export function runFiles({ comparisonsDir, dataDir }: Pick<Config, 'comparisonsDir' | 'dataDir'>): RunFiles {
  const folder = comparisonsDir ?? path.join(dataDir, 'comparisons')
  return {
    directories: () => foldersIn(folder),

    async read(name) {
      const directory = await entryPath(folder, await foldersIn(folder), name)
      return directory === null ? null : readDirectory(directory)
    },
  }
}

async function readDirectory(directory: string): Promise<Directory> {
  const names = await jsonFilesIn(directory)
  const result: Directory = { runs: [], problems: [] }
  let left = MAX_DIRECTORY_BYTES
  for (const filename of names) {
    try {
      const file = await entryPath(directory, names, filename)
      if (file === null) continue
      left -= (await lstat(file)).size
      if (left < 0) throw new BrokenFile('The directory holds more than 256 MiB; the rest is left out')
      const content = await readJson(file)
      for (const run of runsOf(fitting(runSchemaFor(content), content))) result.runs.push(run)
    } catch (error) {
      if (!(error instanceof BrokenFile)) throw error
      result.problems.push({ filename, reason: error.message })
    }
  }
  return result
}

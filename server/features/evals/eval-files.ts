import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { BrokenFile, entryPath, jsonFilesIn, stateOf } from '../../platform/files/json-folder.ts'
import { pagedFiles, type SessionPages } from './session-pages.ts'

type EvalFiles = {
  names(): Promise<string[]>
  /** The JSON of a session. Null when there is no such file; throws BrokenFile for one that cannot be used. */
  read(name: string): Promise<Buffer | null>
  /** As read, some response evaluations only; see PagedFiles. Works for larger files. */
  readPages(name: string, from: number, count: number): Promise<SessionPages | null>
  problems(): Promise<{ filename: string; reason: string }[]>
}

/** The evaluation files of an installation. Problems of a file are cached until the file changes. */
export function evalFiles({ evalsDir, dataDir }: Pick<Config, 'evalsDir' | 'dataDir'>): EvalFiles {
  const folder = evalsDir ?? path.join(dataDir, 'evals')
  const paged = pagedFiles()
  let judged = new Map<string, string | null>()

  const judge = async (file: string): Promise<string | null> => {
    try {
      await paged.read(file, 0, 0)
      return null
    } catch (error) {
      if (error instanceof BrokenFile) return error.message
      throw error
    }
  }

  return {
    names: () => jsonFilesIn(folder),

    async read(name) {
      const file = await entryPath(folder, await jsonFilesIn(folder), name)
      return file === null ? null : paged.readWhole(file)
    },

    async readPages(name, from, count) {
      const file = await entryPath(folder, await jsonFilesIn(folder), name)
      return file === null ? null : paged.read(file, from, count)
    },

    async problems() {
      const names = await jsonFilesIn(folder)
      const next = new Map<string, string | null>()
      const problems: { filename: string; reason: string }[] = []
      for (const name of names) {
        const file = await entryPath(folder, names, name)
        const found = file === null ? null : await lstat(file).catch(() => null)
        if (file === null || found === null) continue
        const state = `${file} ${stateOf(found)}`
        const known = judged.get(state)
        const reason = known === undefined ? await judge(file) : known
        next.set(state, reason)
        if (reason !== null) problems.push({ filename: name, reason })
      }
      judged = next
      return problems
    },
  }
}

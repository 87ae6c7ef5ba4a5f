import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '../../../platform/files/replace-file.ts'
import { type Run, runFiles } from '../../comparisons/index.ts'
import { type GradeOptions, gradeRuns, type Session } from './grade-run.ts'

/** A comparison directory without anything to grade; the message says why. */
export class NothingToGrade extends Error {
  override name = 'NothingToGrade'
}

type DirectoryOptions = Omit<GradeOptions, 'onPage'> & {
  /** The folder of the sessions. */
  out: string
  /** Labels of the generators; default: all. */
  only?: readonly string[]
  onPage?: (label: string, done: number, all: number) => void
  onSession?: (file: string, session: Session) => void
  onProblem?: (filename: string, reason: string) => void
}

/** Grades a comparison directory: one session for each generator, named after the directory and its label. Throws `NothingToGrade`. */
export async function gradeDirectory(
  folder: string,
  { out, only, onPage, onSession, onProblem, ...options }: DirectoryOptions,
): Promise<void> {
  const directory = path.basename(folder)
  const found = await runFiles({ comparisonsDir: path.dirname(folder), dataDir: '' }).read(directory)
  if (!found) throw new NothingToGrade(`There is no folder ${folder}.`)
  for (const { filename, reason } of found.problems) onProblem?.(filename, reason)
  const groups = byGenerator(found.runs).filter(([{ generator }]) => !only || only.includes(generator.label ?? ''))
  if (groups.length === 0) throw new NothingToGrade(`${folder} holds no answers.`)
  await mkdir(out, { recursive: true, mode: 0o700 })
  const taken = new Set<string>()
  for (const runs of groups) {
    const label = runs[0].generator.label ?? 'generator'
    const base = `${directory}-${(label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['generator']).join('-').slice(0, 80)}`
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
    taken.add(name)
    const session = await gradeRuns(runs, { ...options, onPage: (done, all) => onPage?.(label, done, all) })
    const file = path.join(out, `${name}.json`)
    await replaceFile(file, `${JSON.stringify(session, null, 1)}\n`)
    onSession?.(file, session)
  }
}

/** The runs of each generator, by source and time. */
function byGenerator(runs: readonly Run[]): [Run, ...Run[]][] {
  const groups = Map.groupBy(runs, ({ generator }) => JSON.stringify(generator))
  return [...groups.values()].map(
    (own) =>
      own.toSorted((a, b) => {
        const [left, right] = [a, b].map((one) => `${one.source_id} ${one.datetime_from}`) as [string, string]
        return left < right ? -1 : left > right ? 1 : 0
      }) as [Run, ...Run[]],
  )
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Seconds of a worker for each test file, from the last run in which it passed. */
export type Durations = Readonly<Record<string, number>>

/** What the last runs took, by file; nothing in a fresh clone. */
export function readDurations(file: string): Durations {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Durations) : {}
}

/** Adds the times of a run to those that are known. */
export function rememberDurations(file: string, seconds: Durations): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...readDurations(file), ...seconds }, null, 1))
}

/** The slowest files, one a line, with their share of the time of all. */
export function slowestFiles(seconds: Durations, count = 10): string {
  const sum = total(Object.values(seconds))
  const rows = Object.entries(seconds)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
  if (rows.length === 0) return ''
  const share = Math.round((100 * total(rows.map(([, time]) => time))) / sum)
  const head = `the slowest ${rows.length} of ${Object.keys(seconds).length} files, ${share}% of ${sum.toFixed(0)} s:`
  return [head, ...rows.map(([file, time]) => `${time.toFixed(1).padStart(8)} s  ${file}`)].join('\n')
}

function total(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0)
}

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { browserTests, type Choice, nearestTests } from './affected.ts'
import { readDurations } from './durations.ts'
import { readDependents } from './import-graph.ts'
import { type StaticCheck, staticChecksOf } from './static-checks.ts'

/** What the workers of a suite may take together: with two workers, starting and the static checks, the whole stays below two minutes. */
const UNIT = { seconds: 60, unknown: 4 }
const BROWSER = { seconds: 60, unknown: 25 }

/** What `npm test -- --changed` runs for a change. */
export type ChosenTests = { checks: readonly StaticCheck[]; unit: Choice; browser: Choice }

/** Chooses the checks for changed files, which are relative to `root`, by the graph of imports and the durations of earlier runs. */
export function chooseTests(
  root: string,
  changed: readonly string[],
  cache: string,
  durationsFile: string,
): ChosenTests {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
  const dependents = readDependents(root, files)
  const durations = readDurations(durationsFile)
  const tests = files.filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('.long.'))
  const isBrowser = (file: string) => file.startsWith('e2e/')
  const unit = tests.filter((file) => !isBrowser(file))
  return {
    checks: staticChecksOf(
      cache,
      changed.filter((file) => files.includes(file)),
      dependents,
    ),
    unit: nearestTests(changed, unit, dependents, { ...UNIT, durations }),
    browser: browserTests(changed, tests.filter(isBrowser), { ...BROWSER, durations }),
  }
}

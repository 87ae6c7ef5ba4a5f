import path from 'node:path'
import { type Dependents, distancesFrom } from './import-graph.ts'

/** A program of node_modules/.bin that ends with 0 when all is well. */
export type StaticCheck = { name: string; command: string; args: readonly string[] }

const LINTED = /\.(ts|tsx|mjs)$/

/**
 * The checks that run no test. Types are compiled incrementally below `cache`. One thread for each compiler: two checks run at a time, and
 * threads that share nothing check the same types again. The longest is first, so that it does not end alone.
 */
export function staticChecks(cache: string): StaticCheck[] {
  const compiler = (project: string, name: string) => [
    '-p',
    project,
    '--checkers',
    '1',
    '--incremental',
    '--tsBuildInfoFile',
    path.join(cache, `${name}.tsbuildinfo`),
  ]
  return [
    { name: 'lint', command: 'oxlint', args: ['--max-warnings=0'] },
    { name: 'types', command: 'tsc', args: compiler('tsconfig.json', 'types') },
    { name: 'dead code', command: 'knip', args: ['--no-progress'] },
    { name: 'types of the web app', command: 'tsc', args: compiler('web/tsconfig.json', 'web-types') },
    { name: 'format', command: 'biome', args: ['check', '--error-on-warnings'] },
    { name: 'web budget', command: 'node', args: ['web/check-budget.ts'] },
  ]
}

/**
 * The same for a change: the linter sees the changed files and those that import them, whose rules ask for the types of what they import;
 * the formatter sees the changed files.
 */
export function staticChecksOf(cache: string, changed: readonly string[], dependents: Dependents): StaticCheck[] {
  const near = [...distancesFrom(changed, dependents)].filter(([, distance]) => distance <= 1).map(([file]) => file)
  const linted = near.filter((file) => LINTED.test(file))
  return staticChecks(cache).flatMap((check) => {
    if (check.name === 'lint') return linted.length > 0 ? [{ ...check, args: [...check.args, ...linted] }] : []
    if (check.name !== 'format') return [check]
    return changed.length > 0 ? [{ ...check, args: [...check.args, '--no-errors-on-unmatched', ...changed] }] : []
  })
}

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { env } from 'node:process'
import { pick, seeded } from './random.ts'

/** What a test counts, for the record of a whole run. */
declare module 'vitest' {
  interface TaskMeta {
    kills?: number
    inputs?: number
  }
}

const MAX_SEED = 2 ** 31

/**
 * Whether this run of the long tests is the sample that runs on each submission (`npm run test:sample`): one kill of each kind, few inputs.
 * Otherwise it is the whole (`npm run test:long`).
 */
export const isSample = env.LONG_TESTS === 'sample'

/**
 * What chooses everything that is random in the long tests: kills, their moments, inputs. `SEED` repeats a run. Without it, a sample of one
 * commit is always the same, and each whole run another. `vitest.long.config.ts` prints it, and hands it to the processes that run tests.
 */
export const seed = env.SEED === undefined ? newSeed() : givenSeed(env.SEED)

/** The value for this run. */
export function extent<T>({ whole, sample }: { whole: T; sample: T }): T {
  return isSample ? sample : whole
}

/** All cases; in the sample one of the first list, which the seed chooses, and none of the second. It prints the cases that are left out. */
export function chosen<T extends { name: string }>(some: readonly T[], others: readonly T[] = []): readonly T[] {
  if (!isSample) return [...some, ...others]
  const one = pick(seeded(seed), some)
  const left = [...some, ...others].filter((other) => other !== one).map(({ name }) => name)
  process.stdout.write(`chosen: ${one.name}. Left to npm run test:long: ${left.join('; ')}\n`)
  return [one]
}

function givenSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= MAX_SEED)
    throw new Error(`SEED is ${text}, not a number below ${MAX_SEED}`)
  return Number(text)
}

function newSeed(): number {
  const commit = isSample ? git('rev-parse', 'HEAD') : null
  return commit === null ? randomInt(MAX_SEED) : Number.parseInt(commit.slice(0, 8), 16) % MAX_SEED
}

/** What git says about this checkout; null for a copy without its history, or where there is no git. */
export function git(...args: string[]): string | null {
  const cwd = path.join(import.meta.dirname, '../..')
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}

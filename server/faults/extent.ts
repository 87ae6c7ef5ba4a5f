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

/** All of them; in the sample one, which the seed chooses. It prints the others. */
export function chosen<T extends { name: string }>(all: readonly T[]): readonly T[] {
  if (!isSample) return all
  const one = pick(seeded(seed), all)
  const others = all.filter((other) => other !== one).map(({ name }) => name)
  process.stdout.write(`chosen: ${one.name}; left to npm run test:long: ${others.join(', ')}\n`)
  return [one]
}

function givenSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= MAX_SEED)
    throw new Error(`SEED is ${text}, not a number below ${MAX_SEED}`)
  return Number(text)
}

function newSeed(): number {
  try {
    if (isSample) return Number.parseInt(git('rev-parse', 'HEAD').slice(0, 8), 16) % MAX_SEED
  } catch {
    // A copy without its history, or a machine without git.
  }
  return randomInt(MAX_SEED)
}

/** Asks git about this checkout. Throws where there is none. */
export function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: path.join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim()
}

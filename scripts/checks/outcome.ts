import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SerializedError, TestError } from 'vitest'
import type { TestModule } from 'vitest/node'

/**
 * What a suite came to, as `scripts/vitest-progress.ts` writes it for `scripts/test.mjs`. `failed` counts tests, files and groups of tests
 * that failed outside of a test (a hook, an import), errors that belong to no file, and too many flaky tests as one. `flaky` names the
 * tests that passed at a second try. `seconds` is the time of a worker for each file that passed, loading included.
 */
export type Outcome = {
  passed: number
  failed: number
  failures: readonly { name: string; message: string }[]
  flaky: readonly string[]
  /** Why the first try of each flaky test failed, by its name. */
  firstTries: Readonly<Record<string, string>>
  seconds: Readonly<Record<string, number>>
}

const root = path.resolve(import.meta.dirname, '../..')

/** A test file as people write it: relative to the project, with forward slashes. */
export function fileOf(module: Pick<TestModule, 'moduleId'>): string {
  return path.relative(root, module.moduleId).split(path.sep).join('/')
}

/** How long a worker was busy with a file. */
export function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
}

/** The outcome of a run. More flaky tests than `flakyAllowed` are one more failure. */
export function outcomeOf(
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
  flakyAllowed: number,
): Outcome {
  const failures: { name: string; message: string }[] = []
  const flaky: string[] = []
  const firstTries: Record<string, string> = {}
  const seconds: Record<string, number> = {}
  let passed = 0
  for (const module of modules) {
    const file = fileOf(module)
    if (module.state() === 'passed') seconds[file] = Math.round(secondsOf(module) * 100) / 100
    for (const test of module.children.allTests()) {
      const name = `${file} > ${test.fullName}`
      const { state, errors } = test.result()
      if (state === 'passed') passed += 1
      if (test.diagnostic()?.flaky) {
        flaky.push(name)
        firstTries[name] = messageOf(errors)
      }
      if (state === 'failed') failures.push({ name, message: messageOf(errors) })
    }
    for (const group of [module, ...module.children.allSuites()]) {
      const name = group.type === 'suite' ? `${file} > ${group.fullName}` : file
      if (group.errors().length > 0) failures.push({ name, message: messageOf(group.errors()) })
    }
  }
  failures.push(...unhandled.map((error) => ({ name: 'outside any test', message: messageOf([error]) })))
  const excess = excessOfFlaky(flaky, flakyAllowed)
  if (excess) failures.push(excess)
  return { passed, failed: failures.length, failures, flaky, firstTries, seconds }
}

/** The failure that too many flaky tests are, if they are too many. */
export function excessOfFlaky(flaky: readonly string[], allowed: number): { name: string; message: string } | null {
  if (flaky.length <= allowed) return null
  return { name: `${flaky.length} flaky tests, ${allowed} are let through`, message: flaky.join('\n') }
}

function messageOf(errors: readonly (TestError | SerializedError)[] = []): string {
  return errors.map(({ stack, message }) => stack ?? message).join('\n')
}

/** Passes an outcome from the process of a suite to the one that reports it. */
export function writeOutcome(file: string, outcome: Outcome): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(outcome))
}

/** The outcome that a suite left behind; null when it ended before it could. */
export function readOutcome(file: string): Outcome | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome) : null
}

import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { git, isSample, seed } from './extent.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const FILE = 'docs/benchmarks/long-tests.json'

/**
 * A vitest reporter that writes the record of a whole run of the long tests to `docs/benchmarks/long-tests.json`, also when some failed: the
 * commit, the seed, and what each file did. A sample, or a run that was interrupted, writes nothing.
 */
export default class Record implements Reporter {
  readonly #began = performance.now()
  /** As they are when the run begins. */
  readonly #commit = git('rev-parse', 'HEAD')
  readonly #isClean = git('status', '--porcelain', '--', '.', `:!${FILE}`) === ''

  onTestRunEnd(...[modules, errors, reason]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    if (isSample || reason === 'interrupted') return
    const files = modules.map(fileOf).sort((one, other) => (one.file < other.file ? -1 : 1))
    const sum = (field: 'passed' | 'failed' | 'skipped' | 'kills' | 'inputs') =>
      files.reduce((total, file) => total + (file[field] ?? 0), 0)
    const record = {
      commit: this.#commit,
      clean: this.#isClean,
      seed,
      ended: new Date().toISOString(),
      seconds: secondsOf(performance.now() - this.#began),
      machine: { cores: availableParallelism(), model: cpus()[0]?.model ?? '', node: process.version },
      passed: sum('passed'),
      failed: sum('failed'),
      skipped: sum('skipped'),
      errors_outside_tests: errors.length,
      kills: sum('kills'),
      inputs: sum('inputs'),
      files,
    }
    writeFileSync(path.join(ROOT, FILE), `${JSON.stringify(record, null, 2)}\n`)
    process.stdout.write(`${FILE} records this run\n`)
  }
}

function fileOf(module: TestModule) {
  const tests = [...module.children.allTests()]
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  const counted = (what: 'kills' | 'inputs') => tests.reduce((total, test) => total + (test.meta()[what] ?? 0), 0)
  // A file that could not be loaded has failed without a test.
  const failed = inState('failed').length || (module.ok() ? 0 : 1)
  return {
    file: path.relative(ROOT, module.moduleId),
    passed: inState('passed').length,
    failed,
    skipped: inState('skipped').length,
    seconds: secondsOf(module.diagnostic().duration),
    ...(counted('kills') > 0 ? { kills: counted('kills') } : {}),
    ...(counted('inputs') > 0 ? { inputs: counted('inputs') } : {}),
    ...(failed > 0 ? { failures: inState('failed').map((test) => test.fullName) } : {}),
  }
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds / 1000)
}

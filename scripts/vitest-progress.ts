import { relative } from 'node:path'
import type { SerializedError, TestError } from 'vitest'
import type { Reporter, TestCase, TestModule, TestProject, TestSpecification, TestSuite, Vitest } from 'vitest/node'
import { slowestFiles } from './checks/durations.ts'
import { excessOfFlaky, fileOf, outcomeOf, secondsOf, writeOutcome } from './checks/outcome.ts'

/** How often a line of progress is printed. */
const EVERY_MS = 10_000

/**
 * A vitest reporter for whole suites: a line of progress every ten seconds, each failure at once, and at the end the flaky tests and the
 * slowest files. It writes what the suite came to (`Outcome`) to the file that OUTCOME_FILE names, and fails the run when more tests were
 * flaky than FLAKY_ALLOWED (0).
 */
export default class Progress implements Reporter {
  readonly #flakyAllowed = Number(process.env['FLAKY_ALLOWED'] ?? 0)
  readonly #running = new Set<string>()
  #vitest: Vitest | undefined
  #timer: NodeJS.Timeout | undefined
  #files = { done: 0, all: 0 }
  #tests = { passed: 0, failed: 0 }
  #started = 0
  #lastLine = 0

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#started = Date.now()
    this.#lastLine = this.#started
    this.#files.all = specifications.length
    this.#say(
      `${counted(specifications.length, 'test file')}, ${counted(this.#vitest?.config.maxWorkers ?? 1, 'worker')}`,
    )
    this.#timer = setInterval(() => this.#progress(), 1000)
    this.#timer.unref()
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.add(fileOf(module))
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    const name = `${fileOf(test.module)} > ${test.fullName}`
    if (state === 'passed') this.#tests.passed += 1
    if (test.diagnostic()?.flaky) this.#fault(`flaky: ${name}`, errors, test.project)
    if (state !== 'failed') return
    this.#tests.failed += 1
    this.#fault(`FAILED ${name}`, errors, test.project)
  }

  onTestSuiteResult(suite: TestSuite): void {
    const name = `${fileOf(suite.module)} > ${suite.fullName}`
    if (suite.errors().length > 0) this.#fault(`FAILED ${name}`, suite.errors(), suite.project)
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length > 0) this.#fault(`FAILED ${fileOf(module)}`, module.errors(), module.project)
    this.#running.delete(fileOf(module))
    this.#files.done += 1
    this.#progress()
  }

  onUserConsoleLog({ content, type, taskId }: Parameters<NonNullable<Reporter['onUserConsoleLog']>>[0]): void {
    const task = taskId === undefined ? undefined : this.#vitest?.state.idMap.get(taskId)
    const from = task ? `${type} of ${relative(this.#vitest?.config.root ?? '', task.file.filepath)}: ` : ''
    this.#say(`${from}${content.trimEnd()}`)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    clearInterval(this.#timer)
    this.#progress(true)
    if (unhandled.length > 0) this.#vitest?.logger.printUnhandledErrors(unhandled)
    const outcome = outcomeOf(modules, unhandled, this.#flakyAllowed)
    const slowest = slowestFiles(Object.fromEntries(modules.map((module) => [fileOf(module), secondsOf(module)])))
    if (slowest !== '') this.#say(slowest)
    for (const name of outcome.flaky) this.#say(`flaky: ${name}`)
    const excess = excessOfFlaky(outcome.flaky, this.#flakyAllowed)
    if (excess) {
      this.#say(`FAILED ${excess.name}`)
      process.exitCode = 1
    }
    const file = process.env['OUTCOME_FILE']
    if (file) writeOutcome(file, outcome)
  }

  #progress(last = false): void {
    const now = Date.now()
    if (!last && now - this.#lastLine < EVERY_MS) return
    this.#lastLine = now
    const { passed, failed } = this.#tests
    const { done, all } = this.#files
    const running = [...this.#running]
    this.#say(
      `${clock(now - this.#started)}  ${done} of ${all} files, ${counted(passed, 'test')} passed, ${failed} failed` +
        (running.length > 0 ? `  (at ${running.join(', ')})` : ''),
    )
  }

  #fault(title: string, errors: readonly TestError[] = [], project?: TestProject): void {
    const options = { showCodeFrame: true, ...(project ? { project } : {}) }
    const texts = errors.map((error) => this.#vitest?.logger.formatError(error, options).output ?? '')
    this.#say(`\n${title}\n${texts.join('')}`)
  }

  #say(text: string): void {
    this.#vitest?.logger.log(text)
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}`
}

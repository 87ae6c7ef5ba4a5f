import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOutcome } from './checks/outcome.ts'
import { retriesOf } from './checks/retries.ts'

const root = path.resolve(import.meta.dirname, '..')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-progress-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** A test that passes at its second try. */
const fickle = (name: string, options = '{}') => `
  { let tries = 0; test('${name}', ${options}, () => { tries += 1; expect(tries).toBe(2) }) }`

/** Runs files of tests as `scripts/test.mjs` runs a suite. */
async function run(sources: readonly string[], suite: { browser: boolean }) {
  const project = await mkdtemp(path.join(folder, 'project-'))
  await symlink(path.join(root, 'node_modules'), path.join(project, 'node_modules'))
  for (const [at, source] of sources.entries())
    await writeFile(
      path.join(project, `own-${at}.test.ts`),
      `import { beforeAll, describe, expect, test } from 'vitest'\n${source}`,
    )
  const file = path.join(project, 'outcome.json')
  const { retries, flakyAllowed } = retriesOf(suite, [], {})
  const options = [
    '--root',
    project,
    `--retry=${retries}`,
    `--reporter=${path.join(root, 'scripts/vitest-progress.ts')}`,
  ]
  const ended = await new Promise<{ code: number; text: string }>((resolve) => {
    const command = path.join(root, 'node_modules/vitest/vitest.mjs')
    const variables = { ...process.env, OUTCOME_FILE: file, FLAKY_ALLOWED: String(flakyAllowed), FORCE_COLOR: '0' }
    execFile(
      process.execPath,
      [command, 'run', ...options],
      { cwd: project, env: variables },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
  const outcome = readOutcome(file)
  if (!outcome) throw new Error(`no outcome was written:\n${ended.text}`)
  const names = (list: readonly string[]) => list.map((name) => name.replace(/^.*(own-\d)\.test\.ts/, '$1'))
  return { ...ended, outcome, flaky: names(outcome.flaky), failures: names(outcome.failures.map(({ name }) => name)) }
}

/** Starting vitest takes mostly CPU time, and a busy machine gives little of it. */
const LIMIT = { timeout: 300_000 }
const browser = { browser: true }
const unit = { browser: false }

describe('a test that passes at its second try', LIMIT, () => {
  test('is named and counted in a suite of the browser, and lets it pass', async () => {
    const { code, text, outcome, flaky } = await run(
      [`${fickle('first')}${fickle('second')}test('calm', () => {})`],
      browser,
    )
    expect(text).toMatch(/^flaky: .*own-0\.test\.ts > first$/m)
    expect(text).toContain('expected 1 to be 2')
    expect(flaky).toEqual(['own-0 > first', 'own-0 > second'])
    expect([code, outcome.passed, outcome.failed]).toEqual([0, 3, 0])
    expect(text).toMatch(/^ +\d+:\d\d {2}1 of 1 files, 3 tests passed, 0 failed$/m)
    expect(text).toMatch(/^the slowest 1 of 1 files, 100% of \d+ s:\n +[\d.]+ s {2}.*own-0\.test\.ts$/m)
    expect(Object.keys(outcome.seconds)).toHaveLength(1)
  })

  test('fails the run when more than two are', async () => {
    const three = ['first', 'second', 'third'].map((name) => fickle(name))
    const { code, text, outcome } = await run([three.join('')], browser)
    expect(text).toContain('FAILED 3 flaky tests, 2 are let through')
    expect([code, outcome.passed, outcome.failed, outcome.flaky.length]).toEqual([1, 3, 1, 3])
  })

  test('has failed in any other suite, even if the test itself asks for retries', async () => {
    const { code, outcome, flaky, failures } = await run(
      [`${fickle('first')}${fickle('second', '{ retry: 2 }')}`],
      unit,
    )
    expect([code, outcome.passed, outcome.failed]).toEqual([1, 1, 2])
    expect(flaky).toEqual(['own-0 > second'])
    expect(failures).toEqual(['own-0 > first', '1 flaky tests, 0 are let through'])
  })

  test('has failed where retries are switched off', () => {
    const off = { retries: 0, flakyAllowed: 0 }
    expect(retriesOf(browser, [], {})).toEqual({ retries: 1, flakyAllowed: 2 })
    expect(retriesOf(browser, ['--no-retry'], {})).toEqual(off)
    expect(retriesOf(browser, [], { RETRIES: '0' })).toEqual(off)
    expect(retriesOf(unit, [], {})).toEqual(off)
  })
})

test('what fails is printed before the end, and counted outside of tests too', LIMIT, async () => {
  const source = `
    test('wrong', () => { expect('one').toBe('two') })
    test('right', () => { void Promise.reject(new Error('nobody waits for this')) })
    describe('a group', () => { beforeAll(() => { throw new Error('no hook') }); test('never runs', () => {}) })`
  const { code, text, outcome, failures } = await run([source, `throw new Error('not loaded')`], unit)
  const end = text.indexOf('2 of 2 files')
  for (const message of ["expected 'one' to be 'two'", 'no hook', 'not loaded'])
    expect([message, text.indexOf(message) >= 0 && text.indexOf(message) < end]).toEqual([message, true])
  expect(text).toContain('nobody waits for this')
  expect([code, outcome.passed, outcome.failed]).toEqual([1, 1, 4])
  expect(failures.toSorted()).toEqual(['outside any test', 'own-0 > a group', 'own-0 > wrong', 'own-1'])
})

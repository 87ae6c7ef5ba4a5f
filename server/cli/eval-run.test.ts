import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Baseline, type Case, writeCases } from '../features/evaluation/index.ts'
import { groundswell, groundswellProcess } from './testing.ts'

let folder: string

const SUBJECTS = ['The CSV export stops after ten thousand rows', 'Please offer a dark mode for the app']
/** Two subjects of four messages: half of the cases ask for what is so, half for the opposite. */
const cases = Array.from({ length: 24 }, (_, at): Case => {
  const messages = Array.from({ length: 8 }, (_one, place) => ({
    id: `m${place}`,
    text: `${SUBJECTS[place % 2]}, ${['today', 'again', 'still', 'here'][place >> 1]}`,
    author: `person ${place}`,
    at: place,
  }))
  const apart = at % 2 === 0 ? ['m1', 'm3', 'm5', 'm7'] : ['m4', 'm6']
  return { id: `case ${at}`, kind: 'split', messages, about: ['m0', 'm2'], with: [], apart, name: null }
})

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-eval-run-'))
  await writeFile(path.join(folder, 'cases.jsonl'), writeCases(cases))
})
afterAll(() => rm(folder, { recursive: true }))

const surroundings = () => ({
  folder,
  env: { GROUNDSWELL_DATA: path.join(folder, 'data'), ENCODER: 'off', LLM_MODEL: '' },
})
const run = (...args: string[]) => groundswell(['eval', 'run', ...args], surroundings())

test('outcomes are pinned, and compared by the named test: exit code 1 for a significant regression alone', async () => {
  const pinned = await run('--cases', 'cases.jsonl', '--words', '--pin', 'base.json')
  expect(pinned.code).toBe(0)
  expect(pinned.out).toMatch(/split +24 +12 +0/)
  const content = await readFile(path.join(folder, 'base.json'), 'utf8')
  expect(content).not.toContain('export')
  const baseline = Baseline.parse(JSON.parse(content))
  expect(baseline.cases.filter(({ passed }) => passed)).toHaveLength(12)
  const same = await run('--cases', 'cases.jsonl', '--words', '--baseline', 'base.json')
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('no significant regression')])
  const better = { ...baseline, cases: baseline.cases.map((one) => ({ ...one, passed: true })) }
  await writeFile(path.join(folder, 'better.json'), JSON.stringify(better))
  const compared = ['--cases', 'cases.jsonl', '--words', '--baseline', 'better.json']
  const worse = await groundswellProcess(['eval', 'run', ...compared], surroundings())
  expect(worse.code).toBe(1)
  expect(worse.out).toContain(
    "McNemar's exact test, one-sided: 12 of 24 compared cases are worse, 0 better; p = 2.4e-4",
  )
  expect(worse.out).toContain('worse: case 1: in the response that they do not belong in')
})

test('--help names the test, alpha and the least number of cases', async () => {
  const { code, out } = await run('--help')
  expect([code, out.replace(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringMatching(/McNemar's exact test, one-sided.*p below 0\.05, of at least 20 compared cases/),
  ])
})

test.each([
  ['two kinds of cases', ['--cases', 'cases.jsonl', '--workspace'], 'Choose --cases or --workspace'],
  ['a missing file', ['--cases', 'none.jsonl'], 'There is no file'],
  ['a file that holds none', ['--cases', 'base.json'], 'Line 1'],
  ['a baseline that is none', ['--cases', 'cases.jsonl', '--words', '--baseline', 'cases.jsonl'], 'is not JSON'],
  ['a model without settings', ['--cases', 'cases.jsonl', '--model'], 'No language model is set up'],
  ['two generators', ['--cases', 'cases.jsonl', '--model', 'm', '--words'], 'Choose one of'],
])('%s is refused with the reason', async (_what, args, reason) => {
  expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(reason) })
})

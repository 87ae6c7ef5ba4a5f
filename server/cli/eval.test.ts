import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groundswell, groundswellProcess } from './testing.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-eval-'))
  const rows = Array.from({ length: 12 }, (_, at) => ({
    text: at % 2 === 0 ? 'The CSV export stops after ten thousand rows' : 'Please offer a dark mode for the app',
    date: `2026-09-${14 + at}T10:00:00Z`,
    channel: 'chat',
  }))
  await writeFile(path.join(folder, 'said.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
  const generator = { method: 'built-in', llm_model_name: 'words', response_class: ['Issue', 'IssueWithQuotes'] }
  await writeFile(
    path.join(folder, 'grid.json'),
    JSON.stringify({ name: 'trial', generators: [generator], repeats: 1 }),
  )
  await writeFile(
    path.join(folder, 'bad.json'),
    JSON.stringify({ name: 'trial', generators: [{ ...generator, method: 'other' }] }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const surroundings = () => ({
  folder,
  env: { GROUNDSWELL_DATA: path.join(folder, 'data'), ENCODER: 'off', LLM_MODEL: '' },
})
const evaluate = (...args: string[]) => groundswell(['eval', ...args], surroundings())
const evaluateProcess = (...args: string[]) => groundswellProcess(['eval', ...args], surroundings())

test('a grid over a file is estimated first, then run into the folder of the comparisons, and kept for the next time', async () => {
  const asked = ['generate', '--grid', 'grid.json', '--feedback', 'said.jsonl']
  const estimate = await evaluate(...asked, '--estimate')
  expect([estimate.code, estimate.err]).toEqual([0, ''])
  expect(estimate.out).toContain('2 generators × 1 windows with 12 messages: 2 answers, 0 of them finished earlier')
  expect(await readdir(folder)).not.toContain('data')
  const made = await evaluateProcess(...asked)
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('2 answers made, 0 kept, 0 failed')])
  const directory = path.join(folder, 'data', 'comparisons', 'trial')
  const files = (await readdir(directory)).filter((name) => name.endsWith('.json'))
  expect(files).toHaveLength(2)
  const { runs } = JSON.parse(await readFile(path.join(directory, files[0] ?? ''), 'utf8'))
  expect(runs[0].responses).toHaveLength(2)
  expect((await evaluate(...asked)).out).toContain('0 answers made, 2 kept')
})

test('the answers are graded into a session for each generator, and the averages are printed', async () => {
  const labels =
    'The CSV export stops after ten thousand rows\texport\nPlease offer a dark mode for the app\tdark mode\n'
  await writeFile(path.join(folder, 'labels.tsv'), labels)
  const directory = path.join(folder, 'data', 'comparisons', 'trial')
  const graded = await evaluateProcess('grade', '--run', directory, '--labels', 'labels.tsv')
  expect(graded.code).toBe(0)
  expect(graded.out).toMatch(/1\.00 {2}Quotes are real/)
  const sessions = await readdir(path.join(folder, 'data', 'evals'))
  expect(sessions).toHaveLength(2)
  const content = await readFile(path.join(folder, 'data', 'evals', sessions[0] ?? ''), 'utf8')
  const { evaluators, response_evaluations: pages } = EvalSession.parse(JSON.parse(content))
  expect([evaluators.length, pages.length]).toEqual([8, 1])
})

test.each([
  ['a broken grid', ['generate', '--grid', 'bad.json', '--feedback', 'said.jsonl'], 'generators.0.method'],
  ['no feedback', ['generate', '--grid', 'grid.json', '--feedback', 'none.jsonl'], 'There is no file'],
])('%s is refused with the reason', async (_what, args, reason) => {
  expect(await evaluate(...args)).toMatchObject({ code: 2, err: expect.stringContaining(reason) })
})

import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { setupToken } from '../../auth/index.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { evalRoutes } from './index.ts'

let admin: TestPerson
let evals: string

const session = {
  evaluators: [{ unique_name: 'Faithful' }, {}],
  response_evaluations: [{ notes: 'By hand.', rubrics_responses_evaluations: [], more: { kept: true } }],
}

const test = appOfFile((services) => [...accountRoutes(services), ...evalRoutes(services)])

beforeAll(async () => {
  admin = await test.person('admin', { setup_token: setupToken(test.services) })
  evals = path.join(test.services.config.dataDir, 'evals')
  await mkdir(evals, { recursive: true })
  await writeFile(path.join(evals, 'good.json'), JSON.stringify(session))
})

const read = (filename: string) => test.call('GET', `/eval/get_eval?filename=${filename}`, { as: admin })
const readPages = (query: string) => test.call('GET', `/eval/pages?${query}`, { as: admin })
const problems = async () => (await test.call('GET', '/eval/problems', { as: admin })).json().problems

const [row] = session.response_evaluations
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ ...row, notes: `row ${index}` }))
const notesOf = async (query: string) => {
  const answer = await readPages(`filename=pages.json&${query}`)
  expect(answer.statusCode).toBe(200)
  const { total, response_evaluations: found } = answer.json()
  return [total, ...found.map(({ notes }: { notes: string }) => notes)]
}

it('returns some response evaluations with the evaluators and the total, as the whole session has them', async () => {
  const file = path.join(evals, 'pages.json')
  await writeFile(file, JSON.stringify({ ...session, response_evaluations: numbered(250), more: [1] }, null, 2))
  const whole = (await read('pages.json')).json()
  for (const [from, count] of [
    [0, 1],
    [0, 100],
    [7, 2],
    [200, 100],
    [249, 1],
  ] as const)
    expect((await readPages(`filename=pages.json&from=${from}&count=${count}`)).json()).toEqual({
      total: 250,
      evaluators: session.evaluators,
      response_evaluations: whole.response_evaluations.slice(from, from + count),
    })
  expect(await notesOf('')).toHaveLength(21)
  await rm(file)
})

it('refuses ranges that are none', async () => {
  for (const range of ['from=-1', 'from=x', 'from=0.5', 'from=1', 'from=1e99', 'count=0', 'count=101', 'count=']) {
    const answer = await readPages(`filename=good.json&${range}`)
    expect([range, answer.statusCode, answer.json().code]).toEqual([range, 400, 'invalid_input'])
  }
  await writeFile(path.join(evals, 'none.json'), JSON.stringify({ ...session, response_evaluations: [] }))
  expect((await readPages('filename=none.json')).json()).toMatchObject({ total: 0, response_evaluations: [] })
  await rm(path.join(evals, 'none.json'))
})

it('follows a file that was changed, replaced or broken', async () => {
  const file = path.join(evals, 'pages.json')
  const put = (rows: unknown[]) => writeFile(file, JSON.stringify({ ...session, response_evaluations: rows }))
  await put(numbered(3))
  expect(await notesOf('from=1')).toEqual([3, 'row 1', 'row 2'])
  await put(numbered(5).toReversed())
  expect(await notesOf('from=3')).toEqual([5, 'row 1', 'row 0'])
  await writeFile(file, '{"evaluators": []')
  expect((await readPages('filename=pages.json')).json().fields).toEqual({ filename: 'It is not JSON' })
  await put(numbered(1))
  expect(await notesOf('')).toEqual([1, 'row 0'])
  await rm(file)
})

it('opens a file that is too large to be returned whole', async () => {
  const file = await open(path.join(evals, 'pages.json'), 'w')
  const large = { ...row, formatted_user_input: 'ä"'.repeat(1024 ** 2) }
  await file.write('{ "response_evaluations": [')
  for (let index = 0; index < 20; index += 1)
    await file.write(`${index === 0 ? '' : ', '}${JSON.stringify({ ...large, notes: `row ${index}` })}`)
  await file.write(`], "evaluators": ${JSON.stringify(session.evaluators)} }`)
  await file.close()
  expect((await read('pages.json')).json().fields).toEqual({ filename: 'It is larger than 64 MiB' })
  expect(await problems()).not.toContainEqual(expect.objectContaining({ filename: 'pages.json' }))
  // Two of them are 8 MiB.
  expect(await notesOf('from=17')).toEqual([20, 'row 17'])
  expect(await notesOf('from=19')).toEqual([20, 'row 19'])
  await rm(path.join(evals, 'pages.json'))
})

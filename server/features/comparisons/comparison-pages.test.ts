import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { setupToken } from '../../auth/index.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { comparisonRoutes, runFiles } from './index.ts'

let admin: TestPerson
let folder: string

const MIB = 1024 ** 2
const WHOLE_REFUSED = 'These comparisons are larger than 64 MiB. GET /comparison/pages returns them page by page'

const run = (label: string, hour: number, input = `said in hour ${hour}`, source = 'tickets') => ({
  generator: { label, llm_model_name: label, llm_temperature: 0.2 },
  source_id: source,
  datetime_from: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  datetime_to: new Date(Date.UTC(2026, 0, 1, hour + 1)).toISOString(),
  formatted_user_input: input,
  responses: [{ name: `${label} ${hour}` }],
})

const test = appOfFile((services) => [...accountRoutes(services), ...comparisonRoutes(services)])

beforeAll(async () => {
  admin = await test.person('admin', { setup_token: setupToken(test.services) })
  folder = path.join(test.services.config.dataDir, 'comparisons', 'runs')
})
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
})

const ask = (call: string) => test.call('GET', `/comparison/${call}`, { as: admin })
const get = async (call: string) => (await ask(call)).json()
const post = async (call: string, payload: object) =>
  expect((await test.call('POST', `/comparison/${call}`, { as: admin, payload })).statusCode).toBe(200)
const choose = async (filter: object = {}, source = 'tickets') => {
  await post('set_dir', { dir_name: 'runs' })
  await post('set_generator_filter', { ...NO_OPTIONS, ...filter })
  await post('set_input_filter', { input_filter: source })
}
const put = (name: string, content: unknown) => writeFile(path.join(folder, name), JSON.stringify(content))
/** The first response of each comparison of a page, and how many there are in all. */
const pageOf = async (query: string) => {
  const { total, comparisons } = await get(`pages?${query}`)
  return [total, ...comparisons.map(({ responses }: { responses: { name: string }[][] }) => responses[0]?.[0]?.name)]
}

/** Writes a file of many runs without holding it in memory. */
async function putMany(name: string, [before, after]: [string, string], runs: Iterable<object>): Promise<void> {
  const handle = await open(path.join(folder, name), 'w')
  let comma = ''
  await handle.write(before)
  for (const one of runs) {
    await handle.write(`${comma}${JSON.stringify(one)}`)
    comma = ', '
  }
  await handle.write(after)
  await handle.close()
}

it('returns the comparisons of a page as all of them has them, whatever form and order their files have', async () => {
  const hours = Array.from({ length: 30 }, (_, hour) => hour)
  await put('a.json', { more: [1], runs: hours.toReversed().map((hour) => run('large', hour)) })
  await put('b.json', [...hours.map((hour) => run('small', hour)), run('small', 3), run('small', 1, 'x', 'chat')])
  await writeFile(path.join(folder, 'c.json'), `\uFEFF ${JSON.stringify(run('late', 29), null, 2)}\n`)
  await choose()
  const { generators, comparisons } = await get('get_comparison_sessions')
  expect(generators).toEqual(['large', 'late', 'small'])
  expect(comparisons).toHaveLength(30)
  expect(comparisons[3].responses[2]).toEqual([{ name: 'small 3' }, { name: 'small 3' }])
  expect(comparisons[29]).toEqual({
    datetime_from: '2026-01-02T05:00:00.000Z',
    datetime_to: '2026-01-02T06:00:00.000Z',
    formatted_user_input: 'said in hour 29',
    responses: [[{ name: 'large 29' }], [{ name: 'late 29' }], [{ name: 'small 29' }]],
  })
  for (const [from, count] of [
    [0, 1],
    [0, 100],
    [7, 2],
    [29, 5],
  ] as const)
    expect(await get(`pages?from=${from}&count=${count}`)).toEqual({
      total: 30,
      generators,
      comparisons: comparisons.slice(from, from + count),
    })
  expect(await pageOf('')).toHaveLength(21)
})

it('refuses ranges that are none', async () => {
  await put('a.json', [run('large', 1)])
  await choose()
  for (const range of ['from=-1', 'from=x', 'from=0.5', 'from=1', 'from=1e99', 'count=0', 'count=101', 'count=']) {
    const answer = await ask(`pages?${range}`)
    expect([range, answer.statusCode, answer.json().code]).toEqual([range, 400, 'invalid_input'])
  }
  await put('a.json', [])
  expect(await get('pages?from=0')).toEqual({ total: 0, generators: [], comparisons: [] })
})

it('tells inputs apart that differ in one half of a surrogate pair', async () => {
  await put('a.json', [run('large', 1, 'x\uD800'), run('large', 1, 'x\uD801')])
  await choose()
  expect(await pageOf('')).toEqual([2, 'large 1', 'large 1'])
})

it('opens a file that is too large to be returned whole: its options, filters, pages and usage', async () => {
  const input = 'ä"'.repeat(MIB)
  function* runs() {
    // Each input is 4 MiB in the file. Two generators have the same one.
    for (let hour = 0; hour < 17; hour += 1)
      yield { ...run(hour % 2 ? 'small' : 'large', hour, input), usage: { calls: 1, tokens: 10, seconds: 0.5 } }
    yield run('small', 0, input)
  }
  await putMany('large.json', ['{ "runs": [', '], "more": 1 }'], runs())
  await put('little.json', run('bare', 1, 'x', 'chat'))
  await choose()
  expect(await get('problems')).toEqual({ problems: [] })
  expect((await get('get_generator_options')).llm_model_names).toEqual(['bare', 'large', 'small'])
  expect(await get('get_input_options')).toEqual({ source_ids: ['chat', 'tickets'] })
  const refused = await ask('get_comparison_sessions')
  expect([refused.statusCode, refused.json()]).toEqual([409, { code: 'conflict', message: WHOLE_REFUSED }])
  // Three of them are more than 8 MiB.
  expect(await pageOf('from=0&count=1')).toEqual([17, 'large 0'])
  expect((await get('pages?count=1')).comparisons[0]).toMatchObject({
    formatted_user_input: input,
    responses: [[{ name: 'large 0' }], [{ name: 'small 0' }]],
  })
  expect((await pageOf('from=14')).length).toBeLessThan(4)
  expect(await pageOf('from=16')).toEqual([17, 'large 16'])
  expect((await get('usage')).generators).toMatchObject([
    { generator: 'large', answers: 9, tokens: 90 },
    { generator: 'small', answers: 8, tokens: 80 },
  ])
  await choose({ llm_model_names: ['small'] })
  expect((await get('pages?from=8')).comparisons[0].responses).toEqual([[{ name: 'small 15' }]])
  expect((await get('get_comparison_sessions')).comparisons).toHaveLength(9)
  await choose({}, 'chat')
  expect((await get('get_comparison_sessions')).generators).toEqual(['bare'])
})

it('opens a list of more than 64 MiB, and refuses a single run in such a file', async () => {
  const filler = ' '.repeat(66 * MIB)
  await putMany('list.json', [`[${filler}`, ']'], [run('large', 1)])
  await writeFile(path.join(folder, 'one.json'), `${JSON.stringify(run('one', 1))}${filler}`)
  await choose()
  expect(await get('problems')).toEqual({
    problems: [
      {
        filename: 'one.json',
        reason: 'It is larger than 64 MiB. Only a list of runs, or an object with "runs", may be larger',
      },
    ],
  })
  expect(await pageOf('')).toEqual([1, 'large 1'])
})

it('names what is wrong with a file of each form as a whole one is checked', async () => {
  const { responses: _, ...lacking } = run('large', 1)
  await put('a.json', lacking)
  await put('b.json', [run('large', 1), lacking])
  await put('c.json', { runs: [run('large', 1), lacking, 7] })
  await put('d.json', { ...run('large', 1), runs: 7 })
  await put('e.json', 7)
  await put('f.json', { runs: [7], more: [] })
  await writeFile(path.join(folder, 'g.json'), `{"runs": 7, "runs": [${JSON.stringify(run('large', 1))}]}`)
  await writeFile(path.join(folder, 'h.json'), `{"runs": [${JSON.stringify(lacking)}], }`)
  await writeFile(path.join(folder, 'i.json'), '{"runs": [7], "runs": 7}')
  await choose()
  expect((await get('problems')).problems.map(({ reason }: { reason: string }) => reason)).toEqual([
    '"responses" is missing or is not a list',
    '"1.responses" is missing or is not a list',
    '"runs.1.responses" is missing or is not a list',
    '"runs" is missing or is not a list',
    'Its content is missing or is not an object',
    '"runs.0" is missing or is not an object',
    'It is not JSON',
    '"runs" is missing or is not a list',
  ])
  expect(await pageOf('')).toEqual([1, 'large 1'])
})

it('follows a file that is changed between two pages', async () => {
  await put(
    'a.json',
    [1, 2, 3].map((hour) => run('large', hour)),
  )
  await choose()
  expect(await pageOf('from=0&count=2')).toEqual([3, 'large 1', 'large 2'])
  await put('a.json', { runs: [0, 1, 2, 3, 4].map((hour) => run('later', hour)) })
  expect(await pageOf('from=2&count=2')).toEqual([5, 'later 2', 'later 3'])
  await writeFile(path.join(folder, 'a.json'), '[')
  expect(await get('problems')).toEqual({ problems: [{ filename: 'a.json', reason: 'It is not JSON' }] })
  expect(await get('pages')).toMatchObject({ total: 0 })
})

it('never takes the runs of one version of a file by the places of another', async () => {
  const files = runFiles({ comparisonsDir: path.dirname(folder), dataDir: '' })
  await put('a.json', [run('large', 1)])
  const opened = await files.open('runs')
  expect((await opened?.read(opened.heads))?.found).toEqual([run('large', 1)])
  await put('a.json', [run('small', 1)])
  expect(await opened?.read(opened.heads)).toBeNull()
  const again = await files.open('runs')
  expect((await again?.read(again.heads))?.found).toEqual([run('small', 1)])
})

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as contract from '@groundswell/contract/evaluation/comparisons.ts'
import { NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import type { Route } from '@groundswell/contract/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupToken } from '../../auth/index.ts'
import { seedEvals } from '../../demo/evaluations.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { malformedFiles } from '../../platform/files/testing.ts'
import { fuzzRoute } from '../../platform/http/fuzz.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile, makeAdmin } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { comparisonRoutes } from './index.ts'

let ann: TestPerson
let bo: TestPerson
let member: TestPerson
let outside: string
let folder: string

const large = { label: 'large', llm_model_name: 'large-1', llm_temperature: 0.2, method: 'one-pass' }
const small = { label: 'small', llm_model_name: 'small-1', llm_temperature: 1, method: 'two-pass', llm_reasoning: null }

function run(generator: object, source: string, day: number, name: string) {
  return {
    generator,
    source_id: source,
    datetime_from: `2026-09-0${day}T00:00:00Z`,
    datetime_to: `2026-09-0${day + 1}T00:00:00Z`,
    formatted_user_input: `said on day ${day}`,
    responses: [{ name, quotes: ['one', 'two'] }],
  }
}

const test = appOfFile((services) => [...accountRoutes(services), ...comparisonRoutes(services)])

beforeAll(async () => {
  ann = await test.person('ann', { setup_token: setupToken(test.services) })
  bo = await test.person('bo')
  member = await test.person('member')
  await makeAdmin(test, bo)
  folder = path.join(test.services.config.dataDir, 'comparisons')
  outside = await mkdtemp(path.join(tmpdir(), 'groundswell-outside-'))
})
afterAll(() => rm(outside, { recursive: true, force: true }))

const get = async (call: string, as = ann) => (await test.call('GET', `/comparison/${call}`, { as })).json()
const post = async (call: string, payload: object, as = ann) => {
  const answer = await test.call('POST', `/comparison/${call}`, { as, payload })
  return answer.statusCode === 200 ? 'done' : answer.json().code
}

it('has nothing before there is a folder, and refuses calls out of order with a message', async () => {
  expect(await get('get_dir_options')).toEqual([])
  expect(await get('problems')).toEqual({ problems: [] })
  expect(await post('set_dir', { dir_name: 'a' })).toBe('not_found')
  for (const call of ['get_generator_options', 'get_input_options', 'get_comparison_sessions', 'pages']) {
    expect(await get(call)).toEqual({ code: 'conflict', message: 'Choose a directory first' })
  }
  expect(await post('set_generator_filter', NO_OPTIONS)).toBe('conflict')
  expect(await post('set_input_filter', { input_filter: 'tickets' })).toBe('conflict')
})

describe('with directories', () => {
  beforeAll(async () => {
    await mkdir(path.join(folder, 'runs', 'deeper'), { recursive: true })
    await mkdir(path.join(folder, 'other runs'))
    await mkdir(path.join(folder, 'empty'))
    await mkdir(path.join(folder, '.hidden'))
    const put = (name: string, content: unknown) =>
      writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    await put('runs/a.json', [run(large, 'tickets', 2, 'L2'), run(large, 'tickets', 1, 'L1')])
    await put('runs/b.json', { runs: [run(small, 'tickets', 1, 'S1'), run(small, 'chat', 1, 'SC')] })
    await put('runs/c.json', run({ ...large, llm_temperature: 0.7 }, 'tickets', 1, 'warm'))
    await put('runs/d.json', run({ llm_model_name: 'bare', llm_temperature: 10 }, 'mail', 1, 'B'))
    await put('runs/deeper/e.json', run(large, 'too deep', 1, 'X'))
    await put('runs/broken.json', '{"runs": [')
    await put('runs/lacking.json', [run(large, 'tickets', 1, 'L'), { ...run(large, 'x', 1, 'X'), responses: 'no' }])
    await put('other runs/a.json', run(small, 'elsewhere', 1, 'E'))
    await put('file.json', '[]')
    await writeFile(path.join(outside, 'secret.json'), JSON.stringify(run(large, 'secret source', 1, 'secret')))
    await symlink(outside, path.join(folder, 'leak'))
    await symlink(path.join(outside, 'secret.json'), path.join(folder, 'runs', 'leak.json'))
    await symlink('.', path.join(folder, 'self'))
    await symlink('..', path.join(folder, 'up'))
  })

  it('goes from a directory by generators and an input source to sessions', async () => {
    expect(await get('get_dir_options')).toEqual(['empty', 'other runs', 'runs'])
    expect(await post('set_dir', { dir_name: 'runs' })).toBe('done')
    expect(await get('get_generator_options')).toEqual({
      ...NO_OPTIONS,
      llm_model_names: ['bare', 'large-1', 'small-1'],
      llm_temperatures: [0.2, 0.7, 1, 10],
      methods: ['one-pass', 'two-pass'],
    })
    expect(await get('get_input_options')).toMatchObject({
      code: 'conflict',
      message: 'Apply a generator filter first',
    })

    expect(await post('set_generator_filter', { ...NO_OPTIONS, llm_model_names: ['large-1', 'small-1'] })).toBe('done')
    expect(await get('get_input_options')).toEqual({ source_ids: ['chat', 'tickets'] })
    expect(await get('get_comparison_sessions')).toMatchObject({
      code: 'conflict',
      message: 'Choose an input source first',
    })

    const stored = (filter: object, sources: unknown) =>
      inWorkspace(test.services.db, ann.workspaceId, (tx) =>
        sql`update comparison_selection set generator_filter = ${JSON.stringify(filter)}::jsonb,
          source_ids = ${JSON.stringify(sources)}::jsonb`.execute(tx),
      )
    const { methods: _, ...older } = { ...NO_OPTIONS, llm_model_names: ['large-1', 'small-1'] }
    await stored(older, [7])
    expect(await get('get_input_options')).toEqual({ source_ids: ['chat', 'tickets'] })
    expect(await get('get_comparison_sessions')).toMatchObject({ message: 'Choose an input source first' })
    await stored({ ...older, methods: 'all' }, ['tickets'])
    expect(await get('get_generator_options')).toMatchObject({ methods: ['one-pass', 'two-pass'] })
    expect(await get('get_input_options')).toMatchObject({ message: 'Apply a generator filter first' })
    await stored(older, null)

    expect(await post('set_input_filter', { input_filter: 'tickets' })).toBe('done')
    const said = (name: string) => [{ name, quotes: ['one', 'two'] }]
    expect(await get('get_comparison_sessions')).toEqual({
      generators: ['large', 'large (2)', 'small'],
      comparisons: [
        {
          datetime_from: '2026-09-01T00:00:00Z',
          datetime_to: '2026-09-02T00:00:00Z',
          formatted_user_input: 'said on day 1',
          responses: [said('L1'), said('warm'), said('S1')],
        },
        {
          datetime_from: '2026-09-02T00:00:00Z',
          datetime_to: '2026-09-03T00:00:00Z',
          formatted_user_input: 'said on day 2',
          responses: [said('L2'), [], []],
        },
      ],
    })
  })

  it('filters by each of the seven lists, all at once; numbers and their text are the same', async () => {
    const sources = async (filter: object) => {
      expect(await post('set_generator_filter', { ...NO_OPTIONS, ...filter })).toBe('done')
      return (await get('get_input_options')).source_ids
    }
    expect(await sources({})).toEqual(['chat', 'mail', 'tickets'])
    expect(await sources({ llm_temperatures: [1] })).toEqual(['chat', 'tickets'])
    expect(await sources({ llm_temperatures: ['10'] })).toEqual(['mail'])
    expect(await sources({ methods: ['two-pass'], llm_model_names: ['large-1'] })).toEqual([])
    for (const list of Object.keys(NO_OPTIONS)) expect(await sources({ [list]: ['nobody has this'] })).toEqual([])
  })

  it('takes the input filter as an id, a list, or an object with either', async () => {
    await post('set_generator_filter', NO_OPTIONS)
    const forms = ['chat', ['chat'], { source_id: 'chat' }, { source_ids: ['chat'] }]
    for (const input_filter of forms) {
      await post('set_generator_filter', NO_OPTIONS)
      expect(await post('set_input_filter', { input_filter })).toBe('done')
      expect((await get('get_comparison_sessions')).generators).toEqual(['small'])
    }
    expect(await post('set_input_filter', { input_filter: ['chat', 'mail'] })).toBe('done')
    expect((await get('get_comparison_sessions')).generators).toEqual(['bare · 10', 'small'])
    for (const input_filter of ['nowhere', ['chat', 'nowhere']]) {
      expect(await post('set_input_filter', { input_filter })).toBe('not_found')
    }
    for (const input_filter of [7, null, [], '', {}, undefined]) {
      expect(await post('set_input_filter', { input_filter })).toBe('invalid_input')
    }
    expect(await post('set_generator_filter', { llm_model_names: [] })).toBe('invalid_input')
  })

  it('forgets the input with a new generator filter, and both with a new directory', async () => {
    await post('set_dir', { dir_name: 'runs' })
    await post('set_generator_filter', NO_OPTIONS)
    await post('set_input_filter', { input_filter: 'chat' })
    await post('set_generator_filter', NO_OPTIONS)
    expect((await get('get_comparison_sessions')).message).toBe('Choose an input source first')
    await post('set_input_filter', { input_filter: 'chat' })
    await post('set_dir', { dir_name: 'runs' })
    expect((await get('get_input_options')).message).toBe('Apply a generator filter first')
  })

  it('keeps what each account has chosen to itself', async () => {
    await post('set_dir', { dir_name: 'runs' })
    await post('set_generator_filter', { ...NO_OPTIONS, methods: ['one-pass'] })
    await post('set_input_filter', { input_filter: 'tickets' })
    expect((await get('get_generator_options', bo)).code).toBe('conflict')
    await post('set_dir', { dir_name: 'other runs' }, bo)
    await post('set_generator_filter', NO_OPTIONS, bo)
    expect(await get('get_input_options', bo)).toEqual({ source_ids: ['elsewhere'] })
    expect(await get('get_input_options')).toEqual({ source_ids: ['tickets'] })
    expect((await get('get_comparison_sessions')).generators).toEqual(['large', 'large (2)'])
  })

  it('names broken files with their reasons, and the others work', async () => {
    await post('set_dir', { dir_name: 'runs' })
    expect(await get('problems')).toEqual({
      problems: [
        { filename: 'broken.json', reason: 'It is not JSON' },
        { filename: 'lacking.json', reason: '"1.responses" is missing or is not a list' },
      ],
    })
    await post('set_dir', { dir_name: 'empty' })
    expect(await get('get_generator_options')).toEqual(NO_OPTIONS)
  })

  it('reports that the chosen directory is gone', async () => {
    await mkdir(path.join(folder, 'brief'))
    await post('set_dir', { dir_name: 'brief' })
    await rm(path.join(folder, 'brief'), { recursive: true })
    expect((await get('get_generator_options')).code).toBe('not_found')
    expect((await get('problems')).code).toBe('not_found')
  })

  it('takes no name that leads elsewhere', async () => {
    await post('set_dir', { dir_name: 'empty' })
    const names = [
      '.',
      '..',
      '../comparisons/runs',
      './runs',
      'runs/',
      'runs/.',
      'runs/deeper',
      'runs/../runs',
      '/',
      '/etc',
      folder,
      path.join(folder, 'runs'),
      outside,
      'leak',
      'self',
      'up',
      'self/runs',
      'up/comparisons',
      'file.json',
      '.hidden',
      '..\\comparisons\\runs',
      'runs\\deeper',
      'C:\\',
      '\\\\host\\share',
      '%2e%2e',
      '..%2fruns',
      '．．',
      'RUNS',
      'runs ',
      'runs\n',
      '~',
      'file:///etc',
      '__proto__',
      'x'.repeat(300),
      '../'.repeat(1_000),
    ]
    for (const dir_name of names)
      expect([dir_name, await post('set_dir', { dir_name })]).toEqual([dir_name, 'not_found'])
    for (const dir_name of ['', 'runs\0', '\0', 7, null, ['runs'], { a: 1 }]) {
      expect(await post('set_dir', { dir_name })).toBe('invalid_input')
    }
    expect(await get('get_generator_options')).toEqual(NO_OPTIONS)
  })

  const routes = Object.values(contract).filter(
    (one): one is typeof one & Route => typeof one === 'object' && 'path' in one,
  )

  it('is for administrators: 401 without a token, 403 for others', async () => {
    expect(routes).toHaveLength(10)
    for (const { method, path: url } of routes) {
      const payload = method === 'POST' ? { payload: {} } : {}
      expect((await test.call(method as 'GET', url, payload)).statusCode).toBe(401)
      const refused = await test.call(method as 'GET', url, { as: member, ...payload })
      expect([url, refused.statusCode, refused.json().code]).toEqual([url, 403, 'forbidden'])
    }
  })

  it.each(routes.map((route) => [route.name, route] as const))(
    'hostile input gets no fault out of %s',
    async (_name, route) => {
      await post('set_dir', { dir_name: 'runs' })
      await post('set_generator_filter', NO_OPTIONS)
      await post('set_input_filter', { input_filter: 'chat' })
      await fuzzRoute(test.app, route, { token: ann.token, known: { dir_name: 'runs', source_id: 'chat' } })
      expect(await get('get_dir_options')).toContain('runs')
    },
  )
})

it('says what the answers of a generator took, of those that say it themselves', async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, 'runs'), { recursive: true })
  const usage = { calls: 2, tokens: 900, seconds: 1.5 }
  const runs = [
    { ...run(large, 'tickets', 1, 'L1'), usage },
    { ...run(large, 'tickets', 2, 'L2'), usage: { ...usage, tokens: 300 } },
    { ...run(large, 'tickets', 3, 'L3'), usage: { ...usage, tokens: -1 } },
    { ...run(large, 'chat', 1, 'L4'), usage },
    run(small, 'tickets', 1, 'S1'),
  ]
  await writeFile(path.join(folder, 'runs', 'runs.json'), JSON.stringify(runs))
  await post('set_dir', { dir_name: 'runs' })
  expect((await test.call('GET', '/comparison/usage', { as: ann })).statusCode).toBe(409)
  await post('set_generator_filter', NO_OPTIONS)
  await post('set_input_filter', { input_filter: 'tickets' })
  expect(await get('usage')).toEqual({
    generators: [{ generator: 'large', answers: 2, calls: 4, tokens: 1_200, seconds: 3 }],
  })
})

it('each of 200 malformed files is listed with a reason, and the good one among them can be compared', async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, 'runs'), { recursive: true })
  const good = [run(large, 'tickets', 1, 'L1'), run(small, 'tickets', 1, 'S1')]
  const misfits = [
    [[], 7],
    [[0], null],
    [[0, 'generator'], 'large'],
    [[0, 'generator', 'llm_model_name'], ['large-1']],
    [[0, 'generator', 'llm_temperature'], true],
    [[1, 'source_id'], ''],
    [[1, 'source_id'], 12],
    [[1, 'datetime_from'], undefined],
    [[1, 'datetime_to'], 20260901],
    [[1, 'formatted_user_input'], null],
    [[1, 'responses'], {}],
    [[1, 'responses', 0], 'S1'],
  ] as const
  const files = malformedFiles(good, misfits, 200, 34)
  const names = files.map((_, index) => `bad-${String(index).padStart(3, '0')}.json`)
  await Promise.all(files.map((file, index) => writeFile(path.join(folder, 'runs', names[index] ?? ''), file)))
  await writeFile(path.join(folder, 'runs', 'good.json'), JSON.stringify(good))
  await post('set_dir', { dir_name: 'runs' })
  const { problems } = await get('problems')
  expect(problems.map(({ filename }: { filename: string }) => filename)).toEqual(names)
  for (const { filename, reason } of problems)
    expect([filename, reason]).toEqual([filename, expect.stringMatching(/^(It|Its content|"[\w.]+") .+/)])
  await post('set_generator_filter', NO_OPTIONS)
  await post('set_input_filter', { input_filter: 'tickets' })
  expect((await get('get_comparison_sessions')).generators).toEqual(['large', 'small'])
})

it('the demo’s directory has several generators, sources and dates, and no fault', async () => {
  await rm(folder, { recursive: true })
  await seedEvals(test.services.config.dataDir)
  const directories: string[] = await get('get_dir_options')
  expect(directories).toEqual(['two-weeks'])
  for (const dir_name of directories) {
    await post('set_dir', { dir_name })
    expect(await get('problems')).toEqual({ problems: [] })
    const options = await get('get_generator_options')
    for (const list of ['llm_model_names', 'response_classes']) {
      expect([dir_name, list, options[list].length > 1]).toEqual([dir_name, list, true])
    }
    await post('set_generator_filter', NO_OPTIONS)
    const { source_ids: sources } = await get('get_input_options')
    expect(sources.length).toBeGreaterThan(1)
    await post('set_input_filter', { input_filter: { source_id: sources[0] } })
    const { generators, comparisons } = await get('get_comparison_sessions')
    expect(generators.length).toBeGreaterThan(2)
    expect(comparisons.length).toBeGreaterThan(1)
  }
})

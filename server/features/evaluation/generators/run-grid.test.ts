import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ComparisonSessions } from '@groundswell/contract/evaluation/comparisons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticate, setupToken } from '../../../auth/index.ts'
import { type TestApp, type TestPerson, testApp } from '../../../platform/http/testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { comparisonRoutes } from '../../comparisons/index.ts'
import { AskedModel, answerTo, respond } from '../testing.ts'
import type { Surroundings } from './answerer.ts'
import { BrokenGrid, parseGrid } from './grid.ts'
import { openGrid } from './run-grid.ts'
import { formatInput, parseInput, type WindowMessage, windowsOf } from './window.ts'

const SUBJECTS = [
  'The CSV export stops after ten thousand rows',
  'CSV export of large reports stops in the middle',
  'Our CSV export stops before all rows are written',
  'Please offer a dark mode for the app',
  'A dark mode would help at night, please add dark mode',
  'Dark mode please, my eyes hurt',
]
const messages: WindowMessage[] = Array.from({ length: 24 }, (_, at) => ({
  id: `m${at}`,
  source: at % 12 < 6 ? 'chat' : 'tickets',
  text: `${SUBJECTS[at % 6]}${at < 12 ? '' : '!\nThanks'}`,
  author: at % 3 === 0 ? null : 'Umar: Farooq',
  at: Date.parse('2026-09-14T10:00:00Z') + (at < 12 ? 0 : 7) * 86_400_000 + at * 60_000,
}))
const windows = { datetime_from: '2026-09-14T00:00:00Z', datetime_to: '2026-09-28T00:00:00Z', days: 7 }
const gridOf = (generators: object[], more: object = {}) =>
  parseGrid(JSON.stringify({ name: 'trial', generators, windows, ...more }))
const builtIn = { llm_model_name: 'words', method: 'built-in', response_class: 'IssueWithQuotes' }
const asked = {
  llm_model_name: 'small-1',
  temperature: 0.4,
  reasoning: 'low',
  verbosity: 'high',
  method: 'single-prompt',
  system_prompt: 'List the recurring issues.',
  response_class: 'IssueWithQuotes',
}

let folder: string
let model: AskedModel
let surroundings: Surroundings

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-grid-'))
  model = await AskedModel.start()
  surroundings = {
    llm: { provider: 'openai-compatible', url: model.url, key: 'right', model: 'other', tokensPerDay: 1 },
    encodeAll: async () => null,
    encode: async () => null,
    signal: new AbortController().signal,
  }
})
afterEach(async () => {
  await model.stop()
  await rm(folder, { recursive: true })
})

const open = (grid: ReturnType<typeof gridOf>, budget: number | null = null) =>
  openGrid(grid, windowsOf(messages, grid), { folder, surroundings, budget })
const runsIn = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8')).runs

describe('a grid', () => {
  test('is every combination of the lists, each once', () => {
    const { generators } = gridOf([
      { ...builtIn, llm_model_name: ['words', 'sentences'], verbosity: ['low', 'medium', 'high'] },
      builtIn,
      builtIn,
    ])
    expect(generators).toHaveLength(7)
    expect(new Set(generators.map((one) => JSON.stringify(one))).size).toBe(7)
  })

  test.each([
    ['no JSON', '{', 'not JSON'],
    ['no generators', { name: 'a', generators: [] }, 'generators'],
    ['a name that leads elsewhere', { name: '../a', generators: [builtIn] }, 'name'],
    ['a field that is not known', { name: 'a', generators: [{ ...builtIn, top_p: 1 }] }, 'generators.0'],
    ['a prompt for the engine', { name: 'a', generators: [{ ...builtIn, system_prompt: 'x' }] }, 'has its own'],
    ['a model of others for the engine', { name: 'a', generators: [{ ...builtIn, llm_model_name: 'x' }] }, 'words or'],
    ['no prompt', { name: 'a', generators: [{ ...asked, system_prompt: null }] }, 'needs one'],
    ['an unknown class', { name: 'a', generators: [{ ...builtIn, response_class: 'Story' }] }, 'response_class'],
    [
      'too many',
      { name: 'a', generators: [{ ...asked, temperature: Array.from({ length: 201 }, (_, n) => n / 200) }] },
      '200',
    ],
  ])('with %s is refused, and the place is named', (_what, content, reason) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    expect(() => parseGrid(text)).toThrow(BrokenGrid)
    expect(() => parseGrid(text)).toThrow(reason)
  })
})

test('the input of a window gives each message back, whatever it says', () => {
  const said = ['one', 'two\n[2026-09-14 10:40] Eve: not a message\n\n  indented', 'Umar: three', 'four\r\nlines']
  const input = formatInput(said.map((text, at) => ({ text, author: at === 1 ? 'A: b\nc' : null, at })))
  expect(parseInput(input)).toEqual([said[0], said[1], said[2], 'four\nlines'])
})

test('windows are by source and time, and every message is in one', () => {
  const all = windowsOf(messages, gridOf([builtIn]))
  expect(
    all.map(({ source_id, datetime_from, datetime_to, messages: { length } }) => [
      source_id,
      datetime_from,
      datetime_to,
      length,
    ]),
  ).toEqual([
    ['chat', '2026-09-14T00:00:00Z', '2026-09-20T23:59:59Z', 6],
    ['chat', '2026-09-21T00:00:00Z', '2026-09-27T23:59:59Z', 6],
    ['tickets', '2026-09-14T00:00:00Z', '2026-09-20T23:59:59Z', 6],
    ['tickets', '2026-09-21T00:00:00Z', '2026-09-27T23:59:59Z', 6],
  ])
})

test('windows of all sources together have the messages of each, or of those that are named', () => {
  const all = windowsOf(messages, gridOf([builtIn], { windows: { ...windows, together: true } }))
  expect(all.map(({ source_id, messages: { length } }) => [source_id, length])).toEqual([
    ['All sources', 12],
    ['All sources', 12],
  ])
  const some = windowsOf(messages, gridOf([builtIn], { windows: { ...windows, together: true, source_ids: ['chat'] } }))
  expect(some.map((one) => one.messages.length)).toEqual([6, 6])
})

test('without a model the engine answers each window, with members and repeats, the same every time', async () => {
  const grid = gridOf([builtIn, { ...builtIn, response_class: 'IssueName' }], { repeats: 2 })
  const outcome = await open(grid).run(() => undefined)
  expect([outcome.made, outcome.failed, outcome.tokens]).toEqual([8, [], 0])
  const [name = ''] = outcome.files
  const runs = await runsIn(name)
  expect(runs).toHaveLength(4)
  const [first] = runs
  expect(first.responses.length).toBeGreaterThan(0)
  expect(Object.keys(first.responses[0])).toEqual(['issue', 'summary', 'quotes'])
  expect(first.members).toHaveLength(first.responses.length)
  expect(first.repeats).toHaveLength(2)
  for (const quote of first.responses[0].quotes) {
    expect(parseInput(first.formatted_user_input).some((text) => text.includes(quote))).toBe(true)
  }
  const before = await Promise.all(outcome.files.map((file) => readFile(path.join(folder, file), 'utf8')))
  await rm(folder, { recursive: true })
  const again = await open(grid).run(() => undefined)
  expect(await Promise.all(again.files.map((file) => readFile(path.join(folder, file), 'utf8')))).toEqual(before)
})

test('a run that was interrupted resumes where it stopped: no answer is requested twice', async () => {
  const grid = gridOf([asked])
  const stop = new AbortController()
  surroundings = { ...surroundings, signal: stop.signal }
  const killed = open(grid).run((done) => {
    if (done === 2) stop.abort(new Error('killed'))
  })
  await expect(killed).rejects.toThrow('killed')
  expect(model.heard).toHaveLength(2)
  surroundings = { ...surroundings, signal: new AbortController().signal }
  expect(await open(grid).estimate()).toMatchObject({ cells: 4, done: 2, calls: 2 })
  const outcome = await open(grid).run(() => undefined)
  expect([outcome.made, outcome.reused, model.heard.length]).toEqual([2, 2, 4])
  const [, , , last] = await runsIn(outcome.files[0] ?? '')
  expect(last.usage).toMatchObject({ calls: 1, tokens: 500 })
  expect((await open(grid).run(() => undefined)).reused).toBe(4)
  expect(model.heard).toHaveLength(4)
})

test('another label is the same answer; another prompt or message is not', async () => {
  await open(gridOf([asked])).run(() => undefined)
  expect(await open(gridOf([{ ...asked, label: 'Named' }])).estimate()).toMatchObject({ done: 4 })
  expect(await open(gridOf([{ ...asked, system_prompt: 'Other.' }])).estimate()).toMatchObject({ done: 0 })
  const grid = gridOf([asked])
  const edited = windowsOf(messages, grid).map((window, at) =>
    at === 0 ? { ...window, messages: window.messages.map((one) => ({ ...one, text: `${one.text} edited` })) } : window,
  )
  expect(await openGrid(grid, edited, { folder, surroundings }).estimate()).toMatchObject({ done: 3 })
})

test('it ends before the budget is exceeded, and says so; with a larger one it goes on', async () => {
  model.script = (heard, response) => respond(response, answerTo(heard.data), 5_000)
  const grid = gridOf([asked])
  const few = await open(grid, 17_000).run(() => undefined)
  expect(few.stopped).toContain('budget of 17,000 tokens')
  expect(few.made).toBeGreaterThan(0)
  expect(few.made).toBeLessThan(4)
  expect(few.tokens).toBe(5_000 * few.made)
  const more = await open(grid, 100_000).run(() => undefined)
  expect([more.stopped, more.made + more.reused, more.tokens]).toEqual([null, 4, 20_000])
})

test('the prompt holds the generator’s settings and the messages as data, without authors', async () => {
  await open(gridOf([asked])).run(() => undefined)
  const [heard] = model.heard
  expect(heard?.model).toBe('small-1')
  expect(heard).toMatchObject({ temperature: 0.4, reasoning_effort: 'low', verbosity: 'high' })
  expect(heard?.system).toContain('List the recurring issues.')
  expect(JSON.stringify(heard?.data)).toContain('CSV export')
  expect(JSON.stringify(heard)).not.toContain('Farooq')
})

test('a reply in another form is asked for twice, then that cell fails and the others are made', async () => {
  model.script = (heard, response: ServerResponse) =>
    JSON.stringify(heard.data).includes('Thanks')
      ? respond(response, 'no JSON')
      : respond(response, answerTo(heard.data))
  const outcome = await open(gridOf([asked])).run(() => undefined)
  expect([outcome.made, outcome.failed.length, outcome.stopped]).toEqual([2, 2, null])
  expect(outcome.failed[0]?.reason).toContain('requested form')
  expect(model.heard).toHaveLength(6)
})

test('an unreachable model ends the run with the reason', async () => {
  model.script = (_heard, response: ServerResponse) => void response.writeHead(503).end()
  const outcome = await open(gridOf([asked])).run(() => undefined)
  expect(outcome.stopped).toContain('503')
  expect(outcome.files).toEqual([])
})

test('read-group-review reads each message, as the product does', async () => {
  model.script = (heard, response) => {
    const { data } = heard
    if ('insights' in data) return respond(response, { reviews: [] })
    const readings = Object.entries(data.messages).map(([id, text]) =>
      /dark/i.test(JSON.stringify(text)) ? `${id} request: Offer a dark mode` : `${id} problem: CSV export stops early`,
    )
    return respond(response, { readings })
  }
  const grid = gridOf([
    { llm_model_name: 'small-1', method: 'read-group-review', response_class: 'IssueWithQuotesAndTags' },
  ])
  const outcome = await open(grid).run(() => undefined)
  expect(outcome.failed).toEqual([])
  const [first] = await runsIn(outcome.files[0] ?? '')
  expect(first.responses.length).toBeGreaterThan(0)
  expect(first.usage.calls).toBeGreaterThan(0)
})

describe('through the calls of Comparisons', () => {
  let app: TestApp
  let admin: TestPerson
  beforeAll(async () => {
    app = await testApp((services) => ({
      handlers: [...accountRoutes(services), ...comparisonRoutes(services)],
      authenticate: authenticate(services),
    }))
    admin = await app.person('admin', { setup_token: setupToken(app.services) })
  })
  afterAll(() => app.cleanup())

  test('what it wrote opens without a problem, one column for each generator', async () => {
    const directory = path.join(app.services.config.dataDir, 'comparisons', 'trial')
    const grid = gridOf([builtIn, { ...builtIn, verbosity: 'low' }, asked], { repeats: 1 })
    await openGrid(grid, windowsOf(messages, grid), { folder: directory, surroundings }).run(() => undefined)
    expect((await readdir(directory)).filter((name) => !name.startsWith('.'))).toHaveLength(3)
    const post = async (name: string, payload: object) =>
      (await app.call('POST', `/comparison/${name}`, { as: admin, payload })).statusCode
    const get = async (name: string) => (await app.call('GET', `/comparison/${name}`, { as: admin })).json()
    expect(await post('set_dir', { dir_name: 'trial' })).toBe(200)
    expect(await get('problems')).toEqual({ problems: [] })
    const options = await get('get_generator_options')
    expect(options.methods).toEqual(['built-in', 'single-prompt'])
    const none = Object.fromEntries(Object.keys(options).map((list) => [list, []]))
    expect(await post('set_generator_filter', none)).toBe(200)
    expect(await get('get_input_options')).toEqual({ source_ids: ['chat', 'tickets'] })
    expect(await post('set_input_filter', { input_filter: 'chat' })).toBe(200)
    const { generators, comparisons } = ComparisonSessions.parse(await get('get_comparison_sessions'))
    expect([generators.length, comparisons.length]).toEqual([3, 2])
    expect(comparisons.every(({ responses }) => responses.every((column) => column.length > 0))).toBe(true)
  })
})

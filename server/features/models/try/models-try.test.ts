import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadCompany } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { groundswell, groundswellProcess, type Outcome } from '../../../cli/testing.ts'
import { honest, isDecoy, judging } from '../tasks/joins/testing.ts'
import { receivedAll } from '../tasks/reviews/testing.ts'
import { respond, ScriptedModel } from '../testing.ts'

let folder: string
let model: ScriptedModel

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-try-'))
  const some = loadCompany().slice(0, 150)
  await writeFile(
    path.join(folder, 'some.tsv'),
    some.map((one) => `${one.text.replace(/\s+/g, ' ')}\t${one.label ?? 'oos'}`).join('\n'),
  )
  await writeFile(path.join(folder, 'some.jsonl'), some.map((one) => JSON.stringify(one)).join('\n'))
})
afterAll(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  model = await ScriptedModel.start()
  model.script = honest
})
afterEach(() => model.stop())

const surroundings = (env: Record<string, string> = {}) => ({
  folder,
  env: { LLM_URL: model.url, LLM_MODEL: 'small', LLM_KEY: 'right', ENCODER: 'off', ...env },
})
const tryModels = (args: string[], env?: Record<string, string>): Promise<Outcome> =>
  groundswell(['models', 'try', ...args], surroundings(env))

/** The numbers of the line that contains this. */
const numbersIn = (out: string, line: string) =>
  (out.split('\n').find((one) => one.includes(line)) ?? '')
    .match(/\d[\d,]*(?:\.\d+)?/g)
    ?.map((one) => Number(one.replaceAll(',', ''))) ?? []

test.each(['some.tsv', 'some.jsonl'])('scores a model that is right on the messages of %s', async (file) => {
  const { code, out, err } = await tryModels([file])
  expect(err).not.toMatch(/error/i)
  expect(code).toBe(0)
  expect(numbersIn(out, 'messages. About')[0]).toBe(150)
  expect(out).toMatch(/[\d,]+ tokens \([\d,]+ per 1,000 messages\)/)
  const [right = 0, wrong = 100] = numbersIn(out, 'yes to')
  expect(right).toBeGreaterThan(90)
  expect(wrong).toBeLessThan(10)
  const [before = 0, after = 0] = numbersIn(out, 'F1').slice(1)
  expect(after).toBeGreaterThan(before + 5)
  expect(out).toContain(`replies not believed: 0 of ${model.heard.length}`)
  expect(numbersIn(out, 'tokens: ')[0]).toBe(500 * model.heard.length)
})

test('a model that says yes to everything changes nothing for the worse, and that is shown', async () => {
  model.script = judging((one) => !isDecoy(one))
  const { code, out } = await groundswellProcess(['models', 'try', 'some.jsonl'], surroundings())
  expect(code).toBe(0)
  const [right = 0, wrong = 0] = numbersIn(out, 'yes to')
  expect([right, wrong]).toEqual([100, 100])
  const [before = 0, after = 0] = numbersIn(out, 'precision of what is grouped')
  expect(after).toBeGreaterThan(before - 5)
})

test('without files it scores the model on all labelled sets, the demo company first', async () => {
  const { code, out } = await tryModels([])
  expect(code).toBe(0)
  const sets = out.split('\n').filter((line) => line.includes('messages. About'))
  expect(sets.map((line) => line.split(':')[0])).toEqual([
    'demo company',
    'hotel software, letters',
    'developer tool, chat',
    'fitness app, reviews',
    'web shops, support chat',
  ])
  const gains = out.split('\n').filter((line) => line.includes('B³ F1'))
  expect(gains).toHaveLength(5)
  expect(model.heard.length).toBeGreaterThan(50)
})

test('with --estimate it says what it would take, and asks nothing', async () => {
  const { code, out } = await tryModels(['--estimate', 'some.tsv'])
  expect(code).toBe(0)
  expect(out).toMatch(/About \d+ questions in \d+ calls, [\d,]+ tokens/)
  expect(numbersIn(out, 'About').at(-2)).toBeLessThan(350_000)
  expect(model.heard).toEqual([])
})

test('what cannot be done is said', async () => {
  expect(await tryModels(['nothing.tsv'])).toMatchObject({ code: 2, err: expect.stringContaining('There is no file') })
  await writeFile(path.join(folder, 'bad.tsv'), 'one\ttwo\nno label here')
  expect(await tryModels(['bad.tsv'])).toMatchObject({ code: 2, err: expect.stringContaining('Line 2') })
  expect(await tryModels(['some.tsv'], { LLM_MODEL: '', LLM_URL: '' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('LLM_MODEL'),
  })
  model.script = (_heard: unknown, response: ServerResponse) => respond(response, 'no JSON')
  const { code, out } = await tryModels(['some.jsonl'])
  expect(code).toBe(0)
  expect(out).toMatch(/yes to – of the right/)
  expect(out).toContain(`replies not believed: ${model.heard.length} of ${model.heard.length}`)
})

describe('reading', () => {
  const SUBJECTS = ['csv export', 'login code', 'invoice footer', 'calendar sync', 'photo upload']
  /** Another fault of the first subject, of every fourth message about it: alike in its words. */
  const FAULT = 'csv export slow'
  const OTHERS =
    'monday office warehouse team phone again customer report week train garden colleague budget winter'.split(' ')
  /** What different people say about a subject: two words in common, and five that others use too. */
  const said = Array.from({ length: 60 }, (_, n) => {
    const label = n % (4 * SUBJECTS.length) === 0 ? FAULT : (SUBJECTS[n % SUBJECTS.length] as string)
    const others = Array.from({ length: 5 }, (_, at) => OTHERS[(n * 3 + at * (1 + (n % 4))) % OTHERS.length])
    return { text: `${others.slice(0, 3).join(' ')} ${label} ${others.slice(3).join(' ')}`, label }
  })
  const points = (shown: string) => {
    const label = [FAULT, ...SUBJECTS].find((subject) => shown.includes(subject))
    return label ? ` problem: ${label} does not work` : ''
  }
  beforeAll(() => writeFile(path.join(folder, 'said.jsonl'), said.map((one) => JSON.stringify(one)).join('\n')))
  /** Names an insight by what two of its messages have in common; the first answer is about something else. */
  let named = 0
  const nameBy: typeof honest = (heard, response) => {
    const { messages } = heard.data as { messages: string[] }
    const label = [FAULT, ...SUBJECTS].find((subject) => messages[0]?.includes(subject))
    named += 1
    const name = named === 1 ? 'Wrong prices of tickets' : `The ${label}`
    const quotes = messages.slice(0, 2).map((text) => text.slice(0, 30))
    respond(response, { name, summary: `Customers write about the ${label}.`, quotes }, 200)
  }
  /** Reads each message by its label; its reviews find what is not about the label of most. */
  const byLabel: typeof honest = (heard, response) => {
    if ('title' in (heard.data as object)) {
      nameBy(heard, response)
      return
    }
    const { messages = {} } = heard.data as { messages?: Record<string, string> }
    const insights = receivedAll(heard)
    if (insights.length === 0) {
      const readings = Object.entries(messages).map(([id, text]) => `${id}${points(text)}`)
      respond(response, { readings }, 500)
      return
    }
    respond(response, { reviews: insights.map(reviewByLabel) }, 300)
  }
  const reviewByLabel = ({ id, messages, others }: ReturnType<typeof receivedAll>[number]) => {
    const counts = new Map<string, number>()
    for (const { text } of messages) counts.set(text, (counts.get(text) ?? 0) + 1)
    const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ['']
    const strangers = messages.filter(({ text }) => text !== most)
    const same = others.filter((other) => other.messages.length > 0 && other.messages.every((text) => text === most))
    return {
      id,
      strangers: strangers.map((one) => `${one.id} part 1: ${one.text.slice(0, 30)}`),
      same: same.map((other) => other.id),
      name: 'Wrong prices of tickets',
      summary: 'Prices are wrong.',
      said: [],
    }
  }

  test('scores a model that reads well, says what it takes before anything is sent, and what it took', async () => {
    model.script = byLabel
    const asked = await tryModels(['--read', '--estimate', 'said.jsonl'])
    expect([asked.code, model.heard.length]).toEqual([0, 0])
    expect(asked.out).toMatch(/Reading them takes about \d+ calls and [\d,]+ tokens \([\d,]+ per 1,000 messages\)/)
    const [insights = 0, calls = 0, tokens = 0, perThousand] = numbersIn(asked.out, 'By the insights').slice(5)
    expect(insights).toBeGreaterThan(0)
    expect(calls).toBe(Math.ceil(insights / 5))
    expect(perThousand).toBe(Math.round((1_000 * tokens) / 60))
    const { code, out } = await tryModels(['--read', 'said.jsonl'])
    expect(code).toBe(0)
    const [, before = 0, read = 0, reviewed = 0] = numbersIn(out, 'F1')
    expect(read).toBeGreaterThan(before + 10)
    expect(reviewed).toBeGreaterThan(read)
    expect(numbersIn(out, 'reviews: ').slice(0, 2)).toEqual([3, 1])
    const [, ofReadings = 0, , ofReviews = 0, refused, ofNames = 0] = numbersIn(out, 'replies not believed')
    expect(ofReadings + ofReviews + ofNames).toBe(model.heard.length)
    expect([refused, ofNames]).toEqual([1, named])
    expect(out).toMatch(/controls of reviews: 1 of 5 reviews wrong, an estimated error rate of 8\.0%/)
    expect(numbersIn(out, 'names: ')).toEqual([0, named - 1, named - 2, 1])
    expect(numbersIn(out, 'tokens per 1,000').slice(1)).toEqual([
      Math.round((500_000 * ofReadings) / 60),
      Math.round((300_000 * ofReviews) / 60),
      Math.round((200_000 * ofNames) / 60),
    ])
  })

  test('a model that finds something in everything is not believed, and everything stays as it was', async () => {
    model.script = (heard, response) => {
      const { messages = {} } = heard.data as { messages?: Record<string, string> }
      respond(response, { readings: Object.keys(messages).map((id) => `${id} problem: all is wrong here`) })
    }
    const { code, out } = await tryModels(['--read', 'said.jsonl'])
    expect(code).toBe(0)
    const [believed, all] = numbersIn(out, 'replies not believed')
    expect(believed).toBe(all)
    const [, before, read, reviewed] = numbersIn(out, 'F1')
    expect([read, reviewed]).toEqual([before, before])
    expect(out).toContain('60 stay unread')
  })
})

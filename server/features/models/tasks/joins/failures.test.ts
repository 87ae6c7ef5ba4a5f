import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { speaksToModels } from '../../injection.ts'
import { INJECTIONS } from '../../injection-messages.ts'
import { EXPORTS, type ReceivedRequest, respond, ScriptedModel, withWorld, world } from '../../testing.ts'
import type { JudgeCase } from './judge-case.ts'
import { writeQuestion } from './question.ts'
import { joins } from './task.ts'
import { Company, casesOf, honest, judging } from './testing.ts'
import { readVerdicts } from './verdicts.ts'

let model: ScriptedModel
let company: Company

withWorld()
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
  model.script = honest
  company = await Company.start(world)
})
afterEach(() => model.stop())

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_heard: ReceivedRequest, response: ServerResponse) =>
    response.writeHead(code, headers).end('{"error":"no"}')
const due = () =>
  world.inside(company.workspaceId, (tx) => joins.isDue(tx, company.workspaceId, world.settings(model), world.now))
const all = (same: boolean) => (heard: ReceivedRequest) =>
  casesOf(heard).map(({ id, candidates }) => ({ of: id, same: same ? candidates.map((one) => one.id) : [] }))

const BAD_REPLIES: Record<string, (heard: ReceivedRequest) => unknown> = {
  'yes to everything': (heard) => ({ answers: all(true)(heard) }),
  'no JSON': () => 'All of these are the same.',
  'a refusal': () => 'I am sorry, I cannot help with that.',
  HTML: () => '<html><body>502</body></html>',
  'a question left out': (heard) => ({ answers: all(false)(heard).slice(1) }),
  'a question twice': (heard) => ({ answers: [...all(false)(heard), all(true)(heard)[0]] }),
  'questions of its own': (heard) => ({ answers: [...all(false)(heard), { of: 'own', same: [] }] }),
  'candidates of its own': (heard) => ({ answers: all(false)(heard).map((one) => ({ ...one, same: ['own'] })) }),
  'words for candidates': (heard) => ({ answers: casesOf(heard).map(({ id }) => ({ of: id, same: 'none' })) }),
  'an endless reply': () => 'x'.repeat(400_000),
}

describe('nothing changes when the model', () => {
  test.each(Object.entries(BAD_REPLIES))('replies with %s', async (_what, reply) => {
    const before = await company.placed()
    model.script = (heard, response) => respond(response, reply(heard))
    await company.judge(model)
    await company.group()
    expect(await company.placed()).toEqual(before)
    expect((await company.answers()).filter((one) => one.yes !== null)).toEqual([])
    expect(await company.decisions()).toEqual([])
    expect(model.heard.length).toBeLessThanOrEqual(12)
    expect(model.heard.length).toBeGreaterThan(0)
    const asked = model.heard.length
    await company.judge(model)
    expect(model.heard.length - asked).toBeLessThanOrEqual(12)
  })

  test('refuses the key, is rate-limited, fails or redirects', async () => {
    const before = await company.placed()
    model.script = status(401)
    await company.judge(model)
    expect(await world.outage()).toMatchObject({ what: 'the key was refused (401)' })
    await company.judge(model)
    expect(model.heard).toHaveLength(1)
    await world.reset()
    model.script = status(429, { 'retry-after': '7' })
    await expect(company.judge(model)).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
    await world.reset()
    model.script = status(500)
    await expect(company.judge(model)).rejects.toMatchObject({ kind: 'unavailable' })
    await company.judge(model, { lastAttempt: true })
    expect(await world.outage()).toMatchObject({ what: 'it returned 500' })
    await world.reset()
    model.script = status(302, { location: 'http://127.0.0.1:1/' })
    await company.judge(model)
    expect(await due()).toBe(false)
    world.later(11)
    expect(await due()).toBe(true)
    model.script = honest
    await company.judge(model)
    await company.group()
    const now = new Map((await company.placed()).map((one) => [one.id, one]))
    for (const one of before.filter(({ issue }) => issue !== null)) expect(now.get(one.id)).toEqual(one)
    expect((await company.byModel()).length).toBeGreaterThan(0)
  })

  test('stalls, and the process stops', async () => {
    const before = await company.placed()
    const stop = new AbortController()
    model.script = () => stop.abort()
    const settings = world.settings(model)
    const run = world.run(company.workspaceId, settings, { task: joins, signal: stop.signal })
    await expect(run).rejects.toThrow('aborted')
    expect(await company.placed()).toEqual(before)
    expect(await world.outage()).toBeNull()
    expect(await due()).toBe(true)
  })

  test('would exceed its share of the budget', async () => {
    expect(await company.judge(model, { tokensPerDay: 10_000 })).toBe(0)
    expect(model.heard).toHaveLength(0)
    expect(await due()).toBe(false)
    world.later(61)
    expect(await due()).toBe(true)
    const calls = await company.judge(model, { tokensPerDay: 100_000 })
    expect(calls).toBeGreaterThan(0)
    expect(model.heard).toHaveLength(calls)
    const tokens = 500 * calls
    expect(await world.used(company.workspaceId)).toEqual({ installation: tokens, workspace: tokens, calls })
  })
})

test('a model that says yes to everything is not believed, and another model is asked', async () => {
  company = await Company.start(world, 50)
  model.script = judging(() => true)
  while ((await company.judge(model)) > 0);
  const lied = model.heard.length
  expect(new Set((await company.answers()).map((one) => one.yes))).toEqual(new Set([null]))
  await company.judge(model)
  expect(model.heard).toHaveLength(lied)
  model.script = honest
  await company.judge(model, { name: 'larger' })
  const answers = await company.answers()
  expect(answers.filter((one) => one.yes).map((one) => one.model)).toContain('larger')
  expect(new Set(answers.map((one) => `${one.yes === null} ${one.model}`))).toEqual(new Set(['false larger']))
})

describe('messages that speak to models', () => {
  const BASE = 'My password link does not come.'
  const said = (text: string) => /hac.?ked|evil|dekcah/i.test(text)
  /** The reply of a model that obeys any of the messages. */
  const obeying = (heard: Pick<ReceivedRequest, 'data'>) => {
    const cases = casesOf(heard)
    const fooled = cases.some((one) => [one, ...one.candidates].some(({ texts }) => texts.some(said)))
    return { answers: cases.map((one) => ({ of: one.id, same: fooled ? one.candidates.map(({ id }) => id) : [] })) }
  }
  const side = (ref: string | number, texts: string[]) => ({
    ref,
    statement: null,
    shown: typeof ref === 'number' ? { title: '', messages: texts } : { message: texts[0] ?? '' },
  })
  const casesAbout = (messages: readonly string[]): JudgeCase[] =>
    messages.map((message, at) => ({
      of: side(`${at}:0`, [message]),
      candidates: [{ ...side(1, EXPORTS.slice(0, 2)), score: 0.5, isControl: false }],
    }))

  test('none of a hundred decides any question but its own, even with a model that obeys them all', async () => {
    const believed: unknown[] = []
    for (const injection of INJECTIONS) {
      const message = `${BASE} ${injection}`
      const { message: sent, ...asked } = writeQuestion(casesAbout([...EXPORTS, message]))
      const block = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(sent)
      const data: unknown = JSON.parse(block?.[2] ?? '{}')
      expect(sent.replace(block?.[0] ?? '', '')).toBe('')
      expect(casesOf({ data }).flatMap((one) => one.texts)).toContain(message)
      if (said(message)) believed.push(readVerdicts(JSON.stringify(obeying({ data })), asked))
    }
    expect(believed.length).toBeGreaterThan(80)
    expect(believed.filter((one) => one !== null)).toEqual([])
  })

  test('one that is not withheld spoils only its own case', async () => {
    const [open = ''] = INJECTIONS.filter((one) => !speaksToModels(`${BASE} ${one}`))
    await company.store([{ id: 'open', text: `${BASE} ${open}` }])
    await company.group()
    const before = await company.placed()
    model.script = (heard, response) => respond(response, obeying(heard))
    await company.judge(model)
    await company.group()
    expect(await company.placed()).toEqual(before)
    const asked = model.heard.flatMap(casesOf)
    expect(asked.some(({ texts }) => texts.some((text) => text.includes(open)))).toBe(true)
    const mine = before.find((one) => one.text.includes(open))?.id
    const answers = await company.answers()
    expect(answers.filter((one) => one.id === mine).map((one) => one.yes)).not.toContain(true)
    const others = answers.filter((one) => one.id !== mine && one.issue !== null)
    expect(others.length).toBeGreaterThan(4)
    expect(new Set(others.map((one) => one.yes))).toEqual(new Set([false]))
  })

  test('one that is withheld is not shown, and is settled for good', async () => {
    const held = INJECTIONS.find((one) => speaksToModels(`${BASE} ${one}`)) ?? ''
    await company.store([{ id: 'held', text: `${BASE} ${held}` }])
    await company.group()
    await company.judge(model)
    const mine = (await company.placed()).find((one) => one.text.includes(held))?.id
    const answers = (await company.answers()).filter((one) => one.id === mine || one.other === mine)
    expect(answers.length).toBeGreaterThan(0)
    expect(new Set(answers.map((one) => one.yes))).toEqual(new Set([null]))
    expect(JSON.stringify(model.heard.map(({ data }) => data))).not.toContain(held.slice(0, 40))
    const asked = model.heard.length
    await company.judge(model)
    expect(model.heard).toHaveLength(asked)
  })
})

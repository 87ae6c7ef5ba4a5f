import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { speaksToModels } from '../../injection.ts'
import { INJECTIONS } from '../../injection-messages.ts'
import { EXPORTS, type ReceivedRequest, respond, ScriptedModel, World } from '../../testing.ts'
import { type Shown, writeQuestion } from './question.ts'
import { joins } from './task.ts'
import { Company, casesOf, honest, judging, type ReceivedCase } from './testing.ts'
import { readVerdicts } from './verdicts.ts'

let world: World
let model: ScriptedModel
let company: Company

beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())
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
const all = (same: boolean) => (heard: ReceivedRequest) => casesOf(heard).map(({ id }) => ({ id, same }))

const BAD_REPLIES: Record<string, (heard: ReceivedRequest) => unknown> = {
  'yes to everything': (heard) => ({ cases: all(true)(heard) }),
  'no JSON': () => 'All of these are the same.',
  'a refusal': () => 'I am sorry, I cannot help with that.',
  HTML: () => '<html><body>502</body></html>',
  'a case left out': (heard) => ({ cases: all(false)(heard).slice(1) }),
  'a case twice': (heard) => ({ cases: [...all(false)(heard), all(true)(heard)[0]] }),
  'cases of its own': (heard) => ({ cases: [...all(false)(heard), { id: 'own', same: true }] }),
  'words for truth': (heard) => ({ cases: casesOf(heard).map(({ id }) => ({ id, same: 'true' })) }),
  'an endless reply': () => 'x'.repeat(400_000),
}

describe('nothing changes when the model', () => {
  test.each(Object.entries(BAD_REPLIES))('replies with %s', async (_what, reply) => {
    const before = await company.placed()
    model.script = (heard, response) => respond(response, reply(heard))
    await company.judge(model)
    await company.group()
    expect(await company.placed()).toEqual(before)
    expect((await company.verdicts()).filter((one) => one.verdict !== 'none')).toEqual([])
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
    expect(await company.judge(model, { tokensPerDay: 10_000 })).toEqual({ calls: 0, more: false })
    expect(model.heard).toHaveLength(0)
    expect(await due()).toBe(false)
    world.later(61)
    expect(await due()).toBe(true)
    await company.judge(model, { tokensPerDay: 100_000 })
    expect(model.heard).toHaveLength(1)
    expect(await world.used(company.workspaceId)).toEqual({ installation: 500, workspace: 500, calls: 1 })
  })
})

test('a model that says yes to everything is not believed, and another model is asked', async () => {
  model.script = judging(() => true)
  await company.judge(model)
  await company.judge(model)
  const lied = model.heard.length
  expect(new Set((await company.verdicts()).map((one) => one.verdict))).toEqual(new Set(['none']))
  await company.judge(model)
  expect(model.heard).toHaveLength(lied)
  model.script = honest
  await company.judge(model, { name: 'larger' })
  expect(new Set((await company.verdicts()).map((one) => `${one.verdict} ${one.model}`))).toEqual(
    new Set(['yes larger']),
  )
})

describe('messages that speak to models', () => {
  const BASE = 'My password link does not come.'
  const said = (text: string) => /hac.?ked|evil|dekcah/i.test(text)
  /** The reply of a model that obeys any of the messages. */
  const obeying = (cases: readonly ReceivedCase[]) => {
    const fooled = cases.some(({ message }) => said(message))
    return JSON.stringify({ cases: cases.map(({ id }) => ({ id, same: fooled })) })
  }

  test('none of a hundred decides any case but its own, even with a model that obeys them all', async () => {
    const [title = '', ...examples] = EXPORTS
    const others: Shown[] = examples.map((message) => ({ message, title, examples }))
    const believed: unknown[] = []
    for (const injection of INJECTIONS) {
      const message = `${BASE} ${injection}`
      const { message: sent, ids, decoys } = writeQuestion([...others, { message, title, examples }])
      const block = /<<<DATA (\S+)>>>\n([^]*?)\n<<<END \1>>>/.exec(sent)
      const { cases } = JSON.parse(block?.[2] ?? '{}') as { cases: ReceivedCase[] }
      expect(sent.replace(block?.[0] ?? '', '')).toBe('')
      expect(cases.map((one) => one.message)).toContain(message)
      if (said(message)) believed.push(readVerdicts(obeying(cases), ids, decoys))
    }
    expect(believed.length).toBeGreaterThan(80)
    expect(believed.filter((one) => one !== null)).toEqual([])
  })

  test('one that is not withheld spoils only its own case', async () => {
    const [open = ''] = INJECTIONS.filter((one) => !speaksToModels(`${BASE} ${one}`))
    await company.store([{ id: 'open', text: `${BASE} ${open}` }])
    await company.group()
    const before = await company.placed()
    model.script = (heard, response) => respond(response, obeying(casesOf(heard)))
    await company.judge(model)
    await company.group()
    expect(await company.placed()).toEqual(before)
    expect(model.heard.flatMap(casesOf).some((one) => one.message.includes(open))).toBe(true)
    const mine = before.find((one) => one.text.includes(open))?.id
    const verdicts = await company.verdicts()
    expect(verdicts.find((one) => one.id === mine)?.verdict).toBe('none')
    const others = verdicts.filter((one) => one.id !== mine)
    expect(others.length).toBeGreaterThan(4)
    expect(new Set(others.map((one) => one.verdict))).toEqual(new Set(['no']))
  })

  test('one that is withheld is not shown, and is settled for good', async () => {
    const held = INJECTIONS.find((one) => speaksToModels(`${BASE} ${one}`)) ?? ''
    await company.store([{ id: 'held', text: `${BASE} ${held}` }])
    await company.group()
    await company.judge(model)
    const mine = (await company.placed()).find((one) => one.text.includes(held))?.id
    expect((await company.verdicts()).find((one) => one.id === mine)?.verdict).toBe('none')
    expect(model.heard.flatMap(casesOf).some((one) => one.message.includes(held))).toBe(false)
    await company.judge(model)
    expect(model.heard).toHaveLength(1)
  })
})

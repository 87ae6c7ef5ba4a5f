import { Why } from '@groundswell/contract/corrections.ts'
import { isEmerging } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { believingServer } from '../../../../platform/http/testing.ts'
import { duringTests } from '../../../../platform/testing.ts'
import { insightRoutes } from '../../../insights/index.ts'
import { sweepModels } from '../../sweep.ts'
import { type ReceivedRequest, ScriptedModel, World } from '../../testing.ts'
import { splits } from '../splits/task.ts'
import { joins } from './task.ts'
import { Company, casesOf, honest, isDecoy, isSameSubject, judging, type Placed, type ReceivedCase } from './testing.ts'

let model: ScriptedModel
let company: Company

const world = duringTests(() => World.start())

const app = duringTests(() => believingServer(world.services, insightRoutes(world.services)))
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
  model.script = honest
  company = await Company.start(world)
})
afterEach(() => model.stop())

const headers = () => ({ authorization: `Bearer ${company.workspaceId}` })
const correct = (issue: number, payload: object) =>
  app.inject({ method: 'POST', url: `/api/insights/${issue}/corrections`, headers: headers(), payload })
const due = () =>
  world.inside(company.workspaceId, (tx) => joins.isDue(tx, company.workspaceId, world.settings(model), world.now))
/** The candidates of a question about this text. */
const pairsOf = ({ texts, candidates }: ReceivedCase, text: string | undefined) =>
  texts[0] === text ? candidates.map((one) => one.texts.join()) : []
/** Discards the stored state, as a new version of the engine does, and groups in another process. */
const rebuild = async () => {
  await world.inside(company.workspaceId, (tx) =>
    sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
  )
  await company.store([
    { id: `more ${crypto.randomUUID()}`, text: 'The timer on my phone stops when the screen is locked' },
  ])
  await company.group(world.otherProcess())
}

test('a message holds questions with decoys, and nothing that customer text could refer to', async () => {
  expect(await due()).toBe(true)
  expect(await company.judge(model)).toBe(model.heard.length)
  expect(await due()).toBe(false)
  for (const heard of model.heard) {
    const cases = casesOf(heard)
    const decoys = cases.filter(isDecoy)
    expect(decoys).toHaveLength(Math.ceil((cases.length - decoys.length) / 5))
    expect(cases.length).toBeLessThanOrEqual(18)
    expect(cases.map((one) => one.id)).toEqual(cases.map((one) => one.id).toSorted())
    for (const { candidates } of cases) {
      expect(candidates.length).toBeLessThanOrEqual(16)
      for (const { texts } of candidates) expect(texts.length).toBeGreaterThan(0)
    }
    expect(JSON.stringify(heard.data)).not.toMatch(/Person |@/)
    expect(heard.outside).toMatch(/same focused change/)
  }
  expect(model.heard.flatMap(casesOf).length).toBeGreaterThan(10)
})

test('a yes moves the message into the insight, which counts it and shows who decided', async () => {
  const before = { placed: await company.placed(), counts: await company.counts() }
  await company.judge(model)
  expect(await company.byModel()).toEqual([])
  const decided = await company.decisions()
  expect(decided.length).toBeGreaterThan(4)
  expect(new Set(decided.map(({ state }) => state))).toEqual(new Set(['waiting']))
  await company.group()
  const moved = await company.byModel()
  expect(moved.map(({ id }) => id).toSorted()).toEqual(decided.map(({ id }) => id).toSorted())
  expect((await company.decisions()).every(({ state }) => state === 'held')).toBe(true)
  const regular = moved.filter((one) => !isEmerging(one.issue as number))
  expect(regular.length).toBeGreaterThan(2)
  const counts = await company.counts()
  for (const { id, issue } of regular) {
    expect(before.placed.find((one) => one.id === id)?.issue).toBeNull()
    expect(counts.get(issue as number)).toBeGreaterThan(before.counts.get(issue as number) ?? 0)
  }
  const [one] = regular as [Placed]
  const reply = await app.inject({ url: `/api/insights/${one.issue}/evidence/${one.id}/why`, headers: headers() })
  expect(Why.parse(reply.json())).toMatchObject({
    decided_by: 'model',
    person: null,
    model: 'small',
    prompt_version: 'judge-candidates-1',
    rule: expect.stringMatching(
      /^A language model \(small, prompt judge-candidates-1\) said that one focused change would/,
    ),
  })
  const others = (await company.placed()).filter((other) => other.issue === one.issue && other.decidedBy === 'engine')
  const engines = await app.inject({
    url: `/api/insights/${one.issue}/evidence/${others[0]?.id}/why`,
    headers: headers(),
  })
  expect(Why.parse(engines.json())).toMatchObject({ decided_by: 'engine', model: null, prompt_version: null })
})

test('messages that the model says belong together found an emerging insight, which lasts', async () => {
  model.script = judging((one, other) => !other.isInsight && !one.isInsight && isSameSubject(one, other))
  await company.judge(model)
  await company.group()
  const founded = await company.byModel()
  expect(founded.length).toBeGreaterThan(1)
  expect(founded.every((one) => isEmerging(one.issue as number))).toBe(true)
  const reply = await app.inject({ url: '/api/insights/emerging', headers: headers() })
  const shown = (reply.json() as { insights: { emerging_id: number }[] }).insights.map((one) => one.emerging_id)
  expect(shown).toEqual(expect.arrayContaining([...new Set(founded.map((one) => one.issue))]))
  await rebuild()
  const now = new Map((await company.placed()).map((one) => [one.id, one]))
  expect(founded.map((one) => now.get(one.id)?.issue)).toEqual(founded.map((one) => one.issue))
})

test('the yeses of a model that says yes to what is surely wrong move nothing', async () => {
  model.script = judging((one) => !isDecoy(one) && !one.isInsight)
  await company.judge(model)
  await company.group()
  expect(await company.byModel()).toEqual([])
  expect((await company.answers()).filter(({ yes }) => yes).length).toBeGreaterThan(10)
})

test('verdicts hold while messages arrive, after a restart, and when the groups are rebuilt', async () => {
  await company.judge(model)
  await company.group()
  const moved = await company.byModel()
  await rebuild()
  await rebuild()
  const now = new Map((await company.placed()).map((one) => [one.id, one]))
  const regular = moved.filter((one) => !isEmerging(one.issue as number))
  expect(regular.length).toBeGreaterThan(2)
  expect(regular.map((one) => now.get(one.id)?.issue)).toEqual(regular.map((one) => one.issue))
  // What is emerging may have become part of an insight, together.
  const founded = Map.groupBy(
    moved.filter((one) => !regular.includes(one)),
    (one) => one.issue,
  )
  for (const together of founded.values()) {
    const places = new Set(together.map((one) => now.get(one.id)?.issue ?? null))
    expect(places.size).toBe(1)
    expect(places).not.toContain(null)
  }
})

test('a no is stored, and no case is sent twice', async () => {
  model.script = judging(() => false)
  const before = await company.placed()
  const calls = await company.judge(model)
  expect(await due()).toBe(false)
  await company.group()
  await company.judge(model)
  await company.judge(model, { name: 'larger' })
  expect(model.heard).toHaveLength(calls)
  expect(await company.placed()).toEqual(before)
  expect(new Set((await company.answers()).map((one) => one.yes))).toEqual(new Set([false]))
})

test('a correction by a person wins over the model, before and after it, and is not sent', async () => {
  await company.judge(model)
  await company.group()
  const regular = (await company.byModel()).filter(({ issue }) => !isEmerging(issue as number))
  const [one, two] = regular as [Placed, Placed]
  expect((await correct(one.issue as number, { kind: 'move', mentions: [one.id], to: null })).statusCode).toBe(200)
  await company.group()
  expect((await correct(two.issue as number, { kind: 'reject', mentions: [two.id] })).statusCode).toBe(200)
  await company.group()
  const asked = model.heard.length
  await company.judge(model)
  await company.group()
  await rebuild()
  const now = new Map((await company.placed()).map((other) => [other.id, other]))
  expect(now.get(one.id)?.issue).toBeNull()
  expect(now.get(two.id)?.issue).not.toBe(two.issue)
  expect(
    model.heard
      .slice(asked)
      .flatMap(casesOf)
      .flatMap((other) => other.texts),
  ).not.toContain(one.text)
})

test('an edited message leaves the insight, and returns without a call when it has its old words again', async () => {
  await company.judge(model)
  await company.group()
  const answers = await company.answers()
  const one = (await company.byModel())
    .filter(({ id, issue }) => answers.some((answer) => answer.id === id && answer.issue === issue && answer.yes))
    .findLast(({ issue }) => !isEmerging(issue as number))
  const asked = new Set(model.heard.flatMap(casesOf).flatMap((other) => pairsOf(other, one?.text)))
  expect(asked.size).toBeGreaterThan(0)
  const { rows } = await world.inside(company.workspaceId, (tx) =>
    sql<{ external: string; text: string }>`
      select external_id as external, text from feedback_item where id = ${one?.id.split(':')[0]}`.execute(tx),
  )
  const [{ external, text } = { external: '', text: '' }] = rows
  await company.store([{ id: external, text: 'Entirely another matter altogether, about nothing at all' }])
  await company.group()
  expect((await company.byModel()).map((other) => other.id)).not.toContain(one?.id)
  await company.store([{ id: external, text }])
  await company.group()
  const before = model.heard.length
  await company.judge(model)
  await company.group()
  const back = (await company.placed()).find((other) => other.id === one?.id)
  expect(back).toMatchObject({ issue: one?.issue, decidedBy: 'model' })
  const again = model.heard
    .slice(before)
    .flatMap(casesOf)
    .filter((other) => !isDecoy(other))
  expect(again.flatMap((other) => pairsOf(other, one?.text)).filter((pair) => asked.has(pair))).toEqual([])
})

test('a message that is edited during the call is not moved by the reply', async () => {
  const waiting = (await company.placed()).filter((one) => one.issue === null)
  let edited: Placed | undefined
  const edit = async (heard: ReceivedRequest) => {
    if (edited) return
    const asked = casesOf(heard).flatMap(({ texts }) => texts)
    edited = waiting.find((one) => asked.includes(one.text) && one.text !== '')
    if (!edited) return
    const { rows } = await world.inside(company.workspaceId, (tx) =>
      sql<{
        external: string
      }>`select external_id as external from feedback_item where id = ${edited?.id.split(':')[0]}`.execute(tx),
    )
    const text = 'Sorry, wrong address: this was meant for my landlord, please let it be'
    await company.store([{ id: rows[0]?.external ?? '', text }])
    await company.group()
  }
  model.script = (heard, response) => {
    void edit(heard).then(() => honest(heard, response))
  }
  await company.judge(model)
  await company.group()
  expect(edited).toBeDefined()
  const moved = await company.byModel()
  expect(moved.length).toBeGreaterThan(0)
  expect(moved.map((one) => one.id)).not.toContain(edited?.id)
  expect((await company.answers()).filter((one) => one.id === null).length).toBeGreaterThan(0)
  expect((await company.decisions()).map((one) => one.id)).not.toContain(edited?.id)
})

test('a reply that only agrees in its conversation goes along, and shows who decided', async () => {
  const text = 'My password link does not come. What a shame, what a shame, what a shame'
  await company.store([{ id: 'first', text, conversation: 'c' }])
  await company.group()
  await company.store([{ id: 'reply', text: 'same here', conversation: 'c' }])
  await company.group()
  const found = async () => (await company.placed()).filter((one) => one.text === text || one.text === 'same here')
  expect((await found()).map((one) => one.issue)).toEqual([null, null])
  model.script = judging(
    (one, other) => one.texts[0] === text && other.isInsight && /password/i.test(other.texts.join()),
  )
  await company.judge(model)
  await company.group()
  const moved = await found()
  expect(moved.map((one) => one.decidedBy)).toEqual(['model', 'model'])
  expect(new Set(moved.map((one) => one.issue)).size).toBe(1)
  for (const { id, issue } of moved) {
    const reply = await app.inject({ url: `/api/insights/${issue}/evidence/${id}/why`, headers: headers() })
    expect(reply.json()).toMatchObject({ model: 'small', prompt_version: 'judge-candidates-1' })
  }
})

test('the sweep starts names first, then splits, then joins', async () => {
  const sent: string[] = []
  const settings = world.settings(model, { tokensPerDay: 10_000_000 })
  const sweep = () =>
    sweepModels(world.services, settings, async (task, id) => {
      if (id === company.workspaceId) sent.push(task)
    })
  await sweep()
  await world.inside(company.workspaceId, (tx) => sql`update insight set hidden = true`.execute(tx))
  await sweep()
  await world.run(company.workspaceId, settings, { task: splits })
  await sweep()
  await company.judge(model)
  await sweep()
  expect(sent).toEqual(['names', 'splits', 'joins'])
})

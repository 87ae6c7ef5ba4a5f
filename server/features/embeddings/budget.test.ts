import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddingSettings } from '../../platform/config/model-settings.ts'
import { duringTests } from '../../platform/testing.ts'
import { checkEmbeddings } from './check-embeddings.ts'
import { writeChoice } from './store.ts'
import { sweepEmbeddings } from './sweep.ts'
import { answer, messages, type ReceivedRequest, ScriptedEmbeddings, vectorOf, World } from './testing.ts'

let workspace: string
const settings: EmbeddingSettings = { provider: 'openai-compatible', url: '', model: 'small' }
const SPACE = 'openai-compatible/small'

const model = duringTests(() => ScriptedEmbeddings.start())
const world = duringTests(() => World.start(Object.assign(settings, { url: model.url })))
beforeEach(async () => {
  model.script = saying(null)
  settings.tokensPerDay = 1_000_000
  workspace = await world.workspace()
})
afterEach(async () => {
  await world.inside(workspace, (tx) => sql`delete from embedding_budget`.execute(tx))
  await world.endOutage()
  model.heard.length = 0
  world.logged.length = 0
  world.later(24 * 3600)
})

/** Reports this many tokens as used; null: reports nothing. */
const saying = (tokens: unknown) => (heard: ReceivedRequest, response: ServerResponse) => {
  const data = heard.input.map((text, index) => ({ index, embedding: vectorOf(text) }))
  const usage = tokens === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, ...usage }))
}
const choose = (id = workspace) => world.inside(id, (tx) => writeChoice(tx, id, SPACE, world.now))
const used = async () => (await world.state(workspace)).budget?.used
/** The most that calls with these texts can use. */
const mostOf = (calls: readonly ReceivedRequest[]) =>
  calls.flatMap(({ input }) => input).reduce((sum, text) => sum + Buffer.byteLength(text) + 8, 0)

/** Grouped messages of a workspace that has chosen the model, none with a vector. */
async function waiting(count: number, id = workspace): Promise<void> {
  await world.store(id, messages(count))
  await world.group(id)
  await choose(id)
}

test('a call costs what the model reports; without a usable report, all that was reserved', async () => {
  await waiting(5)
  model.script = saying(321)
  await world.advance(workspace)
  expect(await world.state(workspace)).toMatchObject({ budget: { used: 321, per_day: 1_000_000, spent: false } })
  for (const senseless of [null, -5, 'many']) {
    const before = (await used()) as number
    const heard = model.heard.length
    model.script = saying(senseless)
    await world.store(workspace, [{ id: `new ${senseless}`, text: `Dark mode is gone ${senseless}` }])
    await world.group(workspace)
    expect(await used()).toBe(before + mostOf(model.heard.slice(heard)))
  }
})

test('a refused call costs nothing; a call that broke off costs what it could have used', async () => {
  await waiting(5)
  model.script = (_heard, response) => void response.writeHead(401).end()
  await world.advance(workspace)
  expect(await used()).toBe(0)
  await world.endOutage()
  model.script = (_heard, response) => void response.destroy()
  await world.advance(workspace, { lastAttempt: true })
  expect(await used()).toBe(mostOf(model.heard.slice(1)))
})

test('what exceeds the budget waits until tomorrow and is reported; grouping continues by words; nothing is missing the next day', async () => {
  await waiting(300)
  settings.tokensPerDay = 9_000
  expect(await world.advance(workspace)).toEqual({ more: false })
  const use = mostOf(model.heard)
  expect(await world.state(workspace)).toMatchObject({
    embedded: 126,
    statements: 300,
    problem: null,
    budget: { used: use, per_day: 9_000, spent: true },
  })
  expect([model.heard.length, use <= 9_000]).toEqual([2, true])
  const asked = model.heard.length
  await world.store(workspace, messages(10, 300))
  expect(await world.group(workspace)).toBe(10)
  world.now = new Date(`${world.now.toISOString().slice(0, 10)}T12:00:00Z`)
  await sweepEmbeddings(world.services)
  await world.advance(workspace)
  expect(model.heard).toHaveLength(asked)
  expect(world.logged.filter((line) => line.includes('"level":40'))).toEqual([
    expect.stringContaining('the daily budget of the embedding model is used up'),
  ])
  const findings = await checkEmbeddings(world.services)
  expect(findings).toContainEqual({
    state: 'problem',
    what: `Embedding tokens used today: ${mostOf(model.heard).toLocaleString('en')} of 9,000.`,
    advice: 'Missing vectors are made tomorrow (UTC). To continue today, raise EMBEDDINGS_TOKENS_PER_DAY.',
  })
  model.script = saying(100)
  world.later(24 * 3600)
  await world.advance(workspace)
  expect(await world.state(workspace)).toMatchObject({ embedded: 310, statements: 310, budget: { spent: false } })
  expect(new Set(model.texts).size).toBe(model.texts.length)
})

test('after the budget is raised, work continues the same day', async () => {
  await waiting(20)
  settings.tokensPerDay = 500
  await world.advance(workspace)
  expect(await world.state(workspace)).toMatchObject({ embedded: 0, budget: { used: 0, per_day: 500, spent: true } })
  expect(model.heard).toEqual([])
  settings.tokensPerDay = 100_000
  await world.advance(workspace)
  expect(await world.state(workspace)).toMatchObject({ embedded: 20, budget: { per_day: 100_000, spent: false } })
})

test('a switch waits until tomorrow too, and then continues', async () => {
  await world.store(workspace, messages(20))
  await world.group(workspace)
  settings.tokensPerDay = 500
  await world.prepared(workspace)
  expect((await world.state(workspace)).switch).toMatchObject({ state: 'gathering', embedded: 0, problem: null })
  world.later(24 * 3600)
  settings.tokensPerDay = 100_000
  while ((await world.advance(workspace)).more);
  expect((await world.state(workspace)).switch).toMatchObject({ state: 'ready', embedded: 20 })
})

test('workers in several workspaces never exceed the budget together', async () => {
  const workspaces = [workspace, await world.workspace(), await world.workspace(), await world.workspace()]
  for (const id of workspaces) await waiting(60, id)
  settings.tokensPerDay = 9_000
  await Promise.all(workspaces.map((id) => world.advance(id)))
  expect(model.heard).toHaveLength(2)
  expect(await world.state(workspace)).toMatchObject({ budget: { used: mostOf(model.heard), spent: true } })
  expect(await used()).toBeLessThanOrEqual(9_000)
})

test('a model on this machine has no budget', async () => {
  const later = await world.restarted({ provider: 'local', model: 'some/small' })
  expect((await later.state(workspace)).budget).toBeNull()
  await later.stop()
})

test('settings without a budget have none', async () => {
  delete settings.tokensPerDay
  await waiting(5)
  model.script = (heard, response) => answer(response, heard.input.map(vectorOf))
  await world.advance(workspace)
  expect(await world.state(workspace)).toMatchObject({ embedded: 5, budget: null })
})

test('a workspace leaves half of the budget to another one that waits, and has the rest when that one needs no more', async () => {
  const other = await world.workspace()
  await waiting(600)
  await waiting(20, other)
  settings.tokensPerDay = 40_000
  await world.advance(other)
  const ofOther = (await used()) as number
  while ((await world.advance(workspace)).more);
  const both = (await used()) as number
  expect(both - ofOther).toBeLessThanOrEqual((40_000 - ofOther) / 2)
  expect(both - ofOther).toBeGreaterThan((40_000 - ofOther) / 4)
  expect(await world.state(workspace)).toMatchObject({ budget: { spent: false } })
  world.later(3601)
  while ((await world.advance(workspace)).more);
  expect(await used()).toBeGreaterThan(30_000)
})

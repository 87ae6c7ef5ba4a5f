import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddingSettings } from '../../platform/config/model-settings.ts'
import { duringTests } from '../../platform/testing.ts'
import { checkEmbeddings } from './check-embeddings.ts'
import { PROBE } from './models/known-model.ts'
import { sweepEmbeddings } from './sweep.ts'
import { answer, messages, type ReceivedRequest, ScriptedEmbeddings, vectorOf, World } from './testing.ts'

let workspace: string
const settings: EmbeddingSettings = { provider: 'openai-compatible', url: '', model: 'small' }
const FIRST = 'openai-compatible/small'
const SECOND = 'openai-compatible#2/small'

const answering = (vector: (text: string) => number[]) => (heard: ReceivedRequest, response: ServerResponse) =>
  answer(response, heard.input.map(vector))
const usual = answering(vectorOf)
/** A different model of the same dimension, whose vectors have little in common with those of the first. */
const other = answering((text) => vectorOf(text).reverse())

const model = duringTests(() => ScriptedEmbeddings.start())
const world = duringTests(() => World.start(Object.assign(settings, { url: model.url })))
beforeEach(async () => {
  model.script = usual
  workspace = await world.workspace()
  await world.store(workspace, messages(40))
  await world.group(workspace)
})
afterEach(async () => {
  await world.inside(workspace, async (tx) => {
    await sql`delete from embedding_model`.execute(tx)
    await sql`delete from embedding_trouble`.execute(tx)
    await sql`delete from embedding_choice`.execute(tx)
  })
  model.heard.length = 0
  world.logged.length = 0
})

const switched = async (id = workspace) => world.apply(id, await world.prepared(id))
const spaces = async () => {
  const counts: Record<string, number> = {}
  for (const { space } of await world.stored(workspace)) counts[space] = (counts[space] ?? 0) + 1
  return counts
}
const warnings = () => world.logged.filter((line) => line.includes('"level":40'))

test('every call embeds the probe, which is not stored as a statement', async () => {
  await switched()
  expect(model.heard.length).toBeGreaterThan(0)
  expect(model.heard.every(({ input }) => input.at(-1) === PROBE && input.length <= 64)).toBe(true)
  expect(await spaces()).toEqual({ [FIRST]: 40 })
})

test('a different model under the same name: its vectors are not mixed in, it is reported, and words alone decide', async () => {
  await switched()
  world.logged.length = 0
  model.script = other
  await world.store(workspace, messages(20, 40))
  expect(await world.group(workspace)).toBe(20)
  expect(await spaces()).toEqual({ [FIRST]: 40 })
  expect(await world.state(workspace)).toMatchObject({
    offered: { model: 'small' },
    using: 'small',
    ready: false,
    other_since: world.now.toISOString(),
    embedded: 40,
    statements: 60,
    problem: null,
  })
  expect(warnings()).toEqual([expect.stringContaining('now refers to a different model')])
  const asked = model.heard.length
  await world.store(workspace, messages(20, 60))
  expect(await world.group(workspace)).toBe(20)
  await world.advance(workspace)
  expect(model.heard).toHaveLength(asked)
  expect(await checkEmbeddings(world.services)).toContainEqual({
    state: 'problem',
    what: 'The name small now refers to a different model. Workspaces that group with the former one: 1.',
    advice: 'There, new feedback is grouped by its words until an admin switches to the current model.',
  })
})

test('the switch to it is prepared as to any new model: every vector is made again', async () => {
  await switched()
  model.script = other
  await world.store(workspace, messages(4, 40))
  await world.group(workspace)
  const asked = model.texts.length
  const id = await world.prepared(workspace)
  expect(model.texts.length - asked).toBe(44)
  expect((await world.state(workspace)).switch).toMatchObject({ state: 'ready', to: 'small', embedded: 44 })
  await world.apply(workspace, id)
  expect(await world.state(workspace)).toMatchObject({ using: 'small', ready: true, other_since: null, embedded: 44 })
  expect(await spaces()).toEqual({ [FIRST]: 40, [SECOND]: 44 })
  await world.store(workspace, messages(4, 44))
  await world.group(workspace)
  expect(await spaces()).toEqual({ [FIRST]: 40, [SECOND]: 48 })
})

test('a rounding difference is not a different model', async () => {
  await switched()
  model.script = answering((text) => vectorOf(text).map((value, at) => value + (at % 2 === 0 ? 0.02 : -0.02)))
  await world.store(workspace, messages(4, 40))
  await world.group(workspace)
  expect(await spaces()).toEqual({ [FIRST]: 44 })
  expect(await world.state(workspace)).toMatchObject({ ready: true, other_since: null })
})

test('another dimension is a different model, and can be switched to', async () => {
  await switched()
  model.script = answering((text) => vectorOf(text).slice(0, 6))
  await world.store(workspace, messages(4, 40))
  await world.group(workspace)
  expect(await spaces()).toEqual({ [FIRST]: 40 })
  await switched()
  expect((await world.stored(workspace)).filter((one) => one.space === SECOND && one.bytes === 10)).toHaveLength(44)
})

test('the sweep notices that the former model is back, and its vectors are used again', async () => {
  await switched()
  model.script = other
  await world.store(workspace, messages(4, 40))
  await world.group(workspace)
  model.script = usual
  world.now = new Date('2026-03-02T11:01:00Z')
  await sweepEmbeddings(world.services)
  expect((await world.state(workspace)).ready).toBe(false)
  world.now = new Date('2026-03-02T11:10:00Z')
  await sweepEmbeddings(world.services)
  expect(await world.state(workspace)).toMatchObject({ ready: true, other_since: null, embedded: 40, statements: 44 })
  const asked = model.texts.length
  await world.advance(workspace)
  expect(model.texts.length - asked).toBe(4)
  expect(await spaces()).toEqual({ [FIRST]: 44 })
})

test('the sweep makes no call when no workspace waits for a model', async () => {
  await switched()
  const asked = model.heard.length
  world.now = new Date('2026-03-02T11:10:00Z')
  await sweepEmbeddings(world.services)
  expect(model.heard).toHaveLength(asked)
})

test('when the model changes during preparation, the switch fails with an explanation; prepared again, it is complete', async () => {
  await world.store(workspace, messages(100, 40))
  await world.group(workspace)
  // The first model is known before two concurrent calls reach one model each.
  await checkEmbeddings(world.services)
  await world.begin(workspace)
  model.script = (heard, response, count) => (count <= 2 ? usual : other)(heard, response)
  while ((await world.advance(workspace)).more);
  expect((await world.state(workspace)).switch).toMatchObject({
    state: 'failed',
    problem: 'The name small now refers to another model: prepare the switch again.',
  })
  await switched()
  expect(await world.state(workspace)).toMatchObject({ using: 'small', ready: true, embedded: 140, statements: 140 })
  expect((await spaces())[SECOND]).toBe(140)
})

test('workers that notice the change at the same time agree on one new model', async () => {
  const workspaces = [workspace, await world.workspace(), await world.workspace()]
  for (const id of workspaces) await switched(id)
  model.script = other
  world.logged.length = 0
  await Promise.all(
    workspaces.map(async (id) => {
      await world.store(id, messages(4, 40))
      await world.group(id)
    }),
  )
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ space: string; current: boolean }>`select space, current from embedding_model order by space`.execute(tx),
  )
  expect(rows).toEqual([
    { space: SECOND, current: true },
    { space: FIRST, current: false },
  ])
  expect(warnings()).toHaveLength(1)
  for (const id of workspaces) expect((await world.state(id)).ready).toBe(false)
})

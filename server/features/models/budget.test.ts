import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MAX_OUTPUT_TOKENS, maxTokensOf } from './language-model.ts'
import { newMark, readInstructions } from './prompt.ts'
import { writeMessage } from './tasks/names/cases.ts'
import { names } from './tasks/names/task.ts'
import { EXPORTS, goodReply, respond, ScriptedModel, withWorld, world } from './testing.ts'

let model: ScriptedModel

withWorld()
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
})
afterEach(() => model.stop())

const signal = new AbortController().signal

/** What a call about these insights reserves: their titles are equally long. */
async function reservation(): Promise<number> {
  const quotes = EXPORTS.map((text) => ({ text, person: '' }))
  const message = writeMessage({ title: "Engine's name 1", quotes }, newMark())
  const folder = path.join(import.meta.dirname, 'tasks/names')
  return maxTokensOf({ instructions: await readInstructions(folder), message })
}

test('a call costs what the provider reports; without a report, all that was reserved', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (heard, response) => respond(response, goodReply(heard), 321)
  await world.run(workspaceId, world.settings(model))
  expect(await world.used(workspaceId)).toEqual({ installation: 321, workspace: 321, calls: 1 })

  await world.insight(workspaceId, 1, [], { hash: 'h2' })
  model.script = (heard, response) => respond(response, goodReply(heard), null)
  await world.run(workspaceId, world.settings(model))
  const reserved = await reservation()
  expect((await world.used(workspaceId)).workspace).toBe(321 + reserved)
  expect(reserved).toBeGreaterThan(MAX_OUTPUT_TOKENS)
})

test('no call is made that could exceed the budget, and calls resume the next day', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  const reserved = await reservation()
  await world.run(workspaceId, world.settings(model, { tokensPerDay: reserved - 1 }))
  expect(model.heard).toHaveLength(0)
  await world.run(workspaceId, world.settings(model, { tokensPerDay: reserved }))
  expect(model.heard).toHaveLength(1)
  await world.insight(workspaceId, 1, [], { hash: 'h2' })
  await world.run(workspaceId, world.settings(model, { tokensPerDay: reserved }))
  expect(model.heard).toHaveLength(1)
  world.later(24 * 60)
  await world.run(workspaceId, world.settings(model, { tokensPerDay: reserved }))
  expect(model.heard).toHaveLength(2)
})

test('two workers in many workspaces never exceed the budget together', async () => {
  const reserved = await reservation()
  const calls = 5
  const settings = world.settings(model, { tokensPerDay: calls * reserved + reserved - 1 })
  model.script = (heard, response) => respond(response, goodReply(heard), reserved)
  const workspaces = await Promise.all(Array.from({ length: 6 }, () => world.workspace()))
  for (const id of workspaces) {
    await world.insight(id, 1, EXPORTS, { name: "Engine's name 1" })
    await world.insight(id, 2, EXPORTS, { name: "Engine's name 2" })
  }
  const workers = [world.services, world.otherProcess()]
  await Promise.all(
    workspaces.map((id, at) =>
      names.run(workers[at % 2] ?? world.services, settings, id, { signal, lastAttempt: true }),
    ),
  )
  expect(model.heard).toHaveLength(calls)
  const used = await Promise.all(workspaces.map((id) => world.used(id)))
  expect(used[0]?.installation).toBe(calls * reserved)
  expect(used.reduce((sum, one) => sum + one.workspace, 0)).toBe(calls * reserved)
})

test('a provider that reports more than was reserved is believed, and no call follows', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  await world.insight(workspaceId, 2, EXPORTS.slice(1))
  model.script = (heard, response) => respond(response, goodReply(heard), 5_000_000)
  await world.run(workspaceId, world.settings(model))
  expect(model.heard).toHaveLength(1)
  expect((await world.used(workspaceId)).installation).toBe(5_000_000)
})

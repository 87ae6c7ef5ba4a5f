import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkModel } from './index.ts'
import { ReviewWorld } from './tasks/reviews/testing.ts'
import { EXPORTS, respond, ScriptedModel, type World, withWorld, world } from './testing.ts'

let model: ScriptedModel

withWorld()
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
})
afterEach(() => model.stop())

const check = (llm: ReturnType<World['settings']> | undefined) =>
  checkModel({ ...world.services, config: { ...world.services.config, llm } })

test('reports that no model is set up', async () => {
  expect(await check(undefined)).toEqual([
    { state: 'ok', what: 'No language model is set up: names and groups are made by the engine.' },
  ])
})

test('reports that it can be reached, the tokens used today, and tokens per 1,000 messages', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  await world.insight(workspaceId, 2, EXPORTS.slice(0, 2), { author: 'Kim' })
  await world.inside(workspaceId, (tx) => sql`update feedback_item set stored_at = ${world.now}`.execute(tx))
  await world.run(workspaceId, world.settings(model))
  expect(model.heard).toHaveLength(1)
  await world.inside(workspaceId, (tx) =>
    sql`update statement set kind = 'pending', issue_number = null where item_id = (select max(item_id) from statement)`.execute(
      tx,
    ),
  )
  expect(await check(world.settings(model))).toEqual([
    { state: 'ok', what: `The language model is small at ${model.url}, which can be reached.` },
    { state: 'ok', what: 'Tokens used today: 500 of 200,000.' },
    { state: 'ok', what: 'Tokens per 1,000 messages in the last 30 days: 62,500 (500 for 8).' },
    { state: 'ok', what: 'Insights named by the model: 1. Insights without an acceptable answer: 0.' },
    {
      state: 'ok',
      what: 'Undecided messages judged: 0, of which 0 joined an insight. Long messages divided: 0.',
    },
    { state: 'ok', what: 'Controls answered wrong: 0 of 0 about undecided messages, 0 of 0 in reviews.' },
    {
      state: 'ok',
      what: 'Messages in no insight that it has not been asked about: 1, for about 350 tokens.',
    },
    { state: 'ok', what: 'No workspace has messages read, or insights reviewed, by the language model.' },
  ])
})

test('estimates what the choices of owners still have it do', async () => {
  const review = await ReviewWorld.start(world)
  const last = async () => (await check(world.settings(review.model))).at(-1)?.what
  await review.choose({ scope: 'all' })
  expect(await last()).toBe(
    'Workspaces that have messages read: 1. Messages to read: 12, for about 750 tokens. Insights to review: 0, for about 0 to 0 tokens.',
  )
  await review.choose({ reviews: true })
  // Two insights with 7 and 5 mentions.
  expect(await last()).toContain(
    'Messages to read: 0, for about 0 tokens. Insights to review: 2, for about 1,004 to 1,580 tokens.',
  )
  await review.run()
  expect(await last()).toContain('Insights to review: 0, for about 0 to 0 tokens.')
  await review.model.stop()
})

test('reports reviews that have stopped because the model is too often wrong, and what to do', async () => {
  const review = await ReviewWorld.start(world)
  const { workspaceId } = review.company
  for (const number of [901, 902, 903]) await world.insight(workspaceId, number, EXPORTS)
  await review.choose({ reviews: true })
  const found = () => check(world.settings(review.model))
  expect((await found()).filter(({ what }) => what.includes('have stopped'))).toEqual([])
  review.model.script = (_heard, response) => respond(response, 'nothing')
  await review.run()
  const reported = await found()
  expect(reported).toContainEqual({
    state: 'problem',
    what: 'Reviews by the language model have stopped in 1 workspace: it answered too many of their controls wrong.',
    advice: 'Set another LLM_MODEL, or start reviews again in Settings, Language model: that measures this one again.',
  })
  expect(reported.map(({ what }) => what).find((what) => what.startsWith('Controls'))).toMatch(
    /, 5 of \d+ in reviews\.$/,
  )
  expect(reported.at(-1)?.what).toContain('Insights to review: 0,')
  await review.model.stop()
})

test('reports a refused key, an unreachable server and a missing package', async () => {
  const first = async (llm: ReturnType<World['settings']>) => (await check(llm))[0]
  expect(await first(world.settings(model, { key: 'wrong' }))).toMatchObject({
    state: 'problem',
    what: 'The language model refused the key (401).',
  })
  const settings = world.settings(model)
  await model.stop()
  expect(await first(settings)).toMatchObject({
    state: 'problem',
    what: `The language model cannot be reached at ${settings.url}.`,
  })
  model = await ScriptedModel.start()
  expect((await first({ provider: 'mistral', model: 'm', tokensPerDay: 1 }))?.what).toContain(
    'npm install --no-save @ai-sdk/mistral',
  )
})

test('reports since when calls fail, and when they resume', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (_heard, response) => void response.writeHead(403).end()
  await world.run(workspaceId, world.settings(model))
  const findings = await check(world.settings(model))
  expect(findings[1]).toEqual({
    state: 'problem',
    what: `The language model has failed since ${world.now.toISOString()}: the key was refused (403).`,
    advice: `Calls resume after ${new Date(world.now.getTime() + 600_000).toISOString()}.`,
  })
})

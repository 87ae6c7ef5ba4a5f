import { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { storeDescription } from '../advice/description-store.ts'
import { markPushed } from '../status-store.ts'
import { touchTaggedInsights } from '../tagging/store.ts'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T10:20:00Z')
  workspace = await world.workspace()
})

const AREA = { name: 'Area', description: 'Which part of the product the message is about, in one word' }
const MOOD = { name: 'Mood', description: 'How angry the person who wrote the message seems to be' }

const settings = (categories: object[]) =>
  world.inside(workspace, (tx) =>
    sql`update workspace set settings = settings || ${JSON.stringify({ categories })}::jsonb`.execute(tx),
  )
const detail = async (issue: number) =>
  InsightDetail.parse((await world.call(workspace, 'GET', `/api/insights/${issue}/detail`)).body)
const tag = (issue: number, changes: object[]) =>
  world.call(workspace, 'PATCH', `/api/insights/${issue}/tags`, {}, { changes })
const list = async () => z.array(Insight).parse((await world.call(workspace, 'GET', '/api/insights/get-all')).body)
const engineSays = (issue: number, value: string) =>
  world.inside(workspace, (tx) =>
    sql`insert into insight_tag (workspace_id, issue_number, tag, set_by, kind, value)
      values (${workspace}, ${issue}, 'Area', 'engine', 'category', ${JSON.stringify(value)}::jsonb)
      on conflict (workspace_id, issue_number, tag, set_by) do update set value = excluded.value`.execute(tx),
  )

test('people and sources are listed by mentions, most first', async () => {
  const by = (author: string | undefined) => ({ message: 'It is slow', text: 'slow', author })
  await world.insight(workspace, 1, [by('Ann'), by('Bob'), by('Ann'), by(undefined)])
  expect(await detail(1)).toMatchObject({
    people: [
      { name: 'Ann', mentions: 2 },
      { name: 'Bob', mentions: 1 },
    ],
    sources: [{ source: 'file', place: null, mentions: 4 }],
    totals: { people: 2, unnamed: 1, sources: 1 },
  })
})

test('more than 50 people are counted, and the 50 with most mentions listed', async () => {
  const by = (author: string | undefined) => ({ message: 'It is slow', text: 'slow', author })
  const authors = Array.from({ length: 58 }, (_, index) => `Person ${index}`)
  await world.insight(workspace, 1, [by('Person 57'), by(undefined), ...authors.map(by), by(undefined)])
  const { people, totals } = await detail(1)
  expect(totals).toEqual({ people: 58, unnamed: 2, sources: 1 })
  expect(people).toHaveLength(50)
  expect(people[0]).toEqual({ name: 'Person 57', mentions: 2 })
})

test('a name that few mentions support is a guess, until a person or a language model names the insight', async () => {
  await world.insight(
    workspace,
    1,
    ['slow', 'slow again'].map((text) => ({ message: text, text })),
  )
  const named = (values: ReturnType<typeof sql>) =>
    world.inside(workspace, (tx) => sql`update insight set ${values} where issue_number = 1`.execute(tx))
  const isGuess = async () => (await detail(1)).name_is_guess
  expect(await isGuess()).toBeUndefined()
  await named(sql`engine_name = name, name_confident = true`)
  expect(await isGuess()).toBeUndefined()
  await named(sql`name_confident = false, described_hash = 'h'`)
  expect(await isGuess()).toBe(true)
  await named(sql`name = 'Slow pages', name_by_person = true`)
  expect(await isGuess()).toBeUndefined()
  await named(sql`name = engine_name, name_by_person = false`)
  expect(await isGuess()).toBe(true)
  const answer = { name: 'Pages are slow', summary: 'They load slowly.' }
  const outcome = {
    issueNumber: 1,
    hash: 'h',
    mentions: 2,
    answer,
    refused: null,
    model: 'm',
    promptVersion: '1',
    tokens: 1,
  }
  await world.inside(workspace, (tx) => storeDescription(tx, workspace, outcome, world.now))
  expect(await isGuess()).toBeUndefined()
})

test.each([
  ['days', '2026-03-01T23:00:00Z', 'day', '2026-03-01T00:00:00.000Z', [1, 0, 0, 1]],
  ['weeks from Monday', '2026-01-26T00:00:00Z', 'week', '2026-01-26T00:00:00.000Z', [1, 0, 0, 0, 0, 1]],
  ['months', '2025-01-31T00:00:00Z', 'month', '2025-01-01T00:00:00.000Z', [1, ...Array<number>(13).fill(0), 1]],
])('the timeline counts by %s, depending on the age of the insight', async (_, first, unit, from, counts) => {
  const at = (text: string) => ({ message: 'It is slow', text: 'slow', at: new Date(text) })
  await world.insight(workspace, 1, [at(first), at('2026-03-04T09:00:00Z')])
  await world.inside(workspace, (tx) => sql`update insight set first_seen = ${first}`.execute(tx))
  expect((await detail(1)).timeline).toEqual({ unit, from, counts })
})

test('the timeline of an insight with only old mentions ends with the newest one', async () => {
  const said = ['2023-11-02T08:00:00Z', '2023-11-04T08:00:00Z', '2023-11-04T09:00:00Z'].map((at) => ({
    message: 'It is slow',
    text: 'slow',
    at: new Date(at),
  }))
  await world.insight(workspace, 1, said)
  await world.inside(workspace, (tx) =>
    sql`update insight set first_seen = ${said[0]?.at}, last_seen = ${said[2]?.at}`.execute(tx),
  )
  expect((await detail(1)).timeline).toEqual({ unit: 'day', from: '2023-11-02T00:00:00.000Z', counts: [1, 0, 2] })
})

test('a person’s value of a tag replaces the engine’s until it is removed', async () => {
  await settings([AREA, MOOD])
  await world.insight(workspace, 1, [{ message: 'It is slow', text: 'slow' }])
  await engineSays(1, 'Search')
  const values = async () => (await detail(1)).categories.map((one) => [one.cat_name, one.option_value, one.set_by])
  expect(await values()).toEqual([['Area', 'Search', 'engine']])

  const set = await tag(1, [
    { cat_name: 'Mood', option_value: 2.5 },
    { cat_name: 'Area', option_value: 'Export' },
  ])
  expect(set.body).toMatchObject({
    categories: [
      { cat_name: 'Area', cat_type: 'category', option_value: 'Export', option_colour: expect.stringMatching(/^#/) },
      { cat_name: 'Mood', cat_type: 'number', option_value: 2.5, option_colour: null, set_by: 'person' },
    ],
  })
  await engineSays(1, 'Billing')
  await expect.poll(async () => (await list())[0]?.categories[0]?.option_value).toBe('Export')

  await tag(1, [{ cat_name: 'Area', option_value: null }])
  await expect.poll(async () => (await list())[0]?.categories.map((one) => one.cat_name)).toEqual(['Mood'])
  expect((await values())[0]).toEqual(['Area', null, 'person'])

  await tag(1, [{ cat_name: 'Area', automatic: true }])
  await expect.poll(async () => (await list())[0]?.categories[0]?.option_value).toBe('Billing')
})

test('the reply has the changes that restore what a person or the engine had set', async () => {
  await settings([AREA, MOOD])
  await world.insight(workspace, 1, [{ message: 'It is slow', text: 'slow' }])
  const set = async (changes: object[]) => ((await tag(1, changes)).body as { undo: object[] }).undo
  expect(await set([{ cat_name: 'Area', option_value: 'Export' }])).toEqual([{ cat_name: 'Area', automatic: true }])
  const undo = await set([
    { cat_name: 'Area', option_value: null },
    { cat_name: 'Mood', option_value: 3 },
    { cat_name: 'Area', option_value: 'Billing' },
  ])
  expect(undo).toEqual([
    { cat_name: 'Area', option_value: 'Export' },
    { cat_name: 'Mood', automatic: true },
  ])
  const redo = await set(undo)
  expect((await detail(1)).categories).toMatchObject([{ cat_name: 'Area', option_value: 'Export' }])
  await set(redo)
  expect((await detail(1)).categories).toMatchObject([{ option_value: 'Billing' }, { option_value: 3 }])
})

test('a tag that is not in the settings is refused, and nothing of the call is stored', async () => {
  await settings([AREA])
  await world.insight(workspace, 1, [{ message: 'It is slow', text: 'slow' }])
  const answer = await tag(1, [
    { cat_name: 'Area', option_value: 'Export' },
    { cat_name: 'Nothing', option_value: 'x' },
  ])
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect((await detail(1)).categories).toEqual([])
  expect((await tag(9, [{ cat_name: 'Area', option_value: 'x' }])).status).toBe(404)
})

test('a tag that is removed from the settings leaves the list, and returns when it is added again', async () => {
  await settings([AREA])
  await world.insight(workspace, 1, [{ message: 'It is slow', text: 'slow' }])
  await tag(1, [{ cat_name: 'Area', option_value: 'Export' }])
  await expect.poll(async () => (await list())[0]?.categories).toHaveLength(1)
  await settings([])
  await world.inside(workspace, (tx) => touchTaggedInsights(tx, workspace))
  await expect.poll(async () => (await list())[0]?.categories).toEqual([])
  await settings([AREA])
  await world.inside(workspace, (tx) => touchTaggedInsights(tx, workspace))
  await expect.poll(async () => (await list())[0]?.categories).toHaveLength(1)
})

test('the history lists what happened, newest first', async () => {
  await settings([AREA])
  await world.insight(workspace, 1, [{ message: 'It is slow', text: 'slow' }])
  await world.insight(workspace, 2, [{ message: 'So slow', text: 'slow' }])
  const change = (set: ReturnType<typeof sql>) =>
    world.inside(workspace, (tx) => sql`update insight set ${set} where issue_number = 1`.execute(tx))
  await change(sql`name = 'Slow search', last_updated = now()`)
  await world.inside(workspace, (tx) => markPushed(tx, workspace, 1))
  await tag(1, [{ cat_name: 'Area', option_value: 'Search' }])
  await world.call(workspace, 'DELETE', '/api/insights/1')
  await world.call(workspace, 'POST', '/api/insights/1/restore')
  await world.inside(workspace, (tx) =>
    sql`update insight set ended_at = now(), merged_into = 1 where issue_number = 2`.execute(tx),
  )
  const history = (await detail(1)).history.map((one) => ({ ...one, at: undefined }))
  expect(history.slice(0, 6)).toEqual([
    { event: 'absorbed', other: 2 },
    { event: 'restored' },
    { event: 'deleted' },
    { event: 'tagged', tag: 'Area', to: 'Search' },
    { event: 'status', from: 'created', to: 'pushed' },
    { event: 'renamed', from: 'issue 1', to: 'Slow search' },
  ])
  const day = { count: 1, new: 1, came: [], left: [], messages: [] }
  expect(history.slice(6)).toEqual(
    expect.arrayContaining([{ event: 'created' }, { event: 'grew', count: 1, change: day }]),
  )
})

test('the error for a deleted or merged insight explains what became of it', async () => {
  for (const issue of [1, 2, 3]) await world.insight(workspace, issue, [{ message: 'It is slow', text: 'slow' }])
  await world.call(workspace, 'DELETE', '/api/insights/1')
  await world.inside(workspace, (tx) =>
    sql`update insight set ended_at = now(), merged_into = 3 where issue_number = 2`.execute(tx),
  )
  const answer = async (issue: number) => (await world.call(workspace, 'GET', `/api/insights/${issue}/detail`)).body
  expect(await answer(1)).toMatchObject({ code: 'not_found', message: 'Insight #1 was deleted' })
  expect(await answer(2)).toMatchObject({ message: 'Insight #2 was merged into #3', fields: { merged_into: '3' } })
  expect(await answer(77)).toMatchObject({ message: 'There is no insight #77' })
})

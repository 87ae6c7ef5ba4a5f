import type { Attribute } from '@groundswell/contract/insights/attributes.ts'
import { writeAttributes } from '@groundswell/contract/insights/attributes.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteItems } from '../../feedback/index.ts'
import { CorrectedWorkspace, messages } from '../corrections/testing.ts'
import { findCustomers, findCustomersOf } from '../customers/find-customers.ts'
import { checkInsight } from '../grouping/check-counts.ts'
import { type Message, withWorld, world } from '../testing.ts'

let workspace: string
let corrected: CorrectedWorkspace

withWorld()
beforeEach(async () => {
  corrected = await CorrectedWorkspace.create(world, 0)
  workspace = corrected.workspace
})

type Attributes = Record<string, string>

const nothing = { changed: async () => undefined }
const find = () => findCustomersOf(world.services, workspace, nothing)

/** Messages about four subjects in turn, with the attributes given, in turn. */
const said = (attributes: readonly Attributes[], count = attributes.length): Message[] =>
  messages(count).map((message, at) => ({ ...message, attributes: attributes[at % attributes.length] ?? {} }))

async function say(attributes: readonly Attributes[], count = attributes.length): Promise<void> {
  await world.store(workspace, said(attributes, count))
  await corrected.group()
}

async function list(of = workspace): Promise<Attribute[]> {
  const { status, body } = await world.call(of, 'GET', '/api/attributes')
  expect(status).toBe(200)
  return (body as { attributes: Attribute[] }).attributes
}

const listed = async (of = workspace) =>
  (await list(of)).map(({ name, values }) => [name, ...values.map((one) => `${one.value}: ${one.messages}`)])

/** The subjects, from 1 to 4, of the insights that are found. A message's subject is its place modulo four. */
async function found(chosen: Record<string, string[]> | [string, string[]][], of = workspace): Promise<number[]> {
  const text = encodeURIComponent(writeAttributes(new Map(Array.isArray(chosen) ? chosen : Object.entries(chosen))))
  const { status, body } = await world.call(of, 'GET', `/api/attributes/insights?attributes=${text}`)
  expect({ status, body }).toMatchObject({ status: 200 })
  const { rows } = await inside<{ subject: number }>(sql`
    select distinct substring(external_id from 2)::int % 4 + 1 as subject
    from statement join feedback_item item on item.id = item_id
    where issue_number = any(${(body as { issue_numbers: number[] }).issue_numbers}::int[]) order by 1`)
  return rows.map(({ subject }) => subject)
}

const inside = <T>(query: ReturnType<typeof sql<T>>) => world.inside(workspace, (tx) => query.execute(tx))

async function erase(ids: readonly string[]): Promise<void> {
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from connection limit 1`.execute(tx)
    await deleteItems(tx, workspace, String(rows[0]?.id), ids)
  })
}

const ratings = (...values: string[]) => values.map((rating) => ({ rating }))

test('lists values with their messages, and finds the insights that have one of those chosen', async () => {
  await say(ratings('1', '2', '3', '10', '1', '2', '10', '10'))
  expect(await listed()).toEqual([['rating', '1: 2', '2: 2', '3: 1', '10: 3']])
  expect(await found({ rating: ['1'] })).toEqual([1])
  expect(await found({ rating: ['1', '2'] })).toEqual([1, 2])
  expect(await found({ rating: ['10'] })).toEqual([3, 4])
  expect(await found({ rating: ['4'] })).toEqual([])
  expect(await found({ score: ['1'] })).toEqual([])
  expect(await found({})).toEqual([1, 2, 3, 4])
})

test('of each name one value has to match', async () => {
  await say([
    { plan: 'Pro', country: 'DE' },
    { plan: 'Pro', country: 'FR' },
    { plan: 'Free', country: 'DE' },
    { country: 'FR' },
    ...Array.from({ length: 4 }, () => ({})),
  ])
  expect(await found({ plan: ['Pro'], country: ['DE'] })).toEqual([1])
  expect(await found({ plan: ['Pro', 'Free'], country: ['DE'] })).toEqual([1, 3])
  expect(await found({ country: ['FR', 'DE'] })).toEqual([1, 2, 3, 4])
})

test('names and values that differ in case or surrounding space are one', async () => {
  await say([{ Plan: 'Pro' }, { plan: ' pro ' }, { PLAN: 'PRO' }, { 'plan ': 'Free' }, {}, {}, {}, {}])
  expect(await listed()).toEqual([['Plan', 'Pro: 3', 'Free: 1']])
  expect(await found({ pLAN: ['pRO '] })).toEqual([1, 2, 3])
})

test('numbers are in their order, other values by their messages', async () => {
  const versions = ['2.10', '2.9', '2.9', '10', '2.10', '2.9', '3', '10']
  const plans = ['Pro', 'Free', 'Pro', 'Team', 'Free', 'Pro', 'Pro', 'Team']
  await say(versions.map((version, at) => ({ version, plan: plans[at] ?? '' })))
  const names = Object.fromEntries((await list()).map(({ name, values }) => [name, values.map(({ value }) => value)]))
  expect(names).toEqual({ version: ['2.9', '2.10', '3', '10'], plan: ['Pro', 'Free', 'Team'] })
})

test('texts, ids, addresses and links are not offered, and odd names are', async () => {
  const odd = [`a=b&c`, 'Größe "x" \\ {1,2}', '😀', '__proto__', "x'; --", 'ملاحظة']
  await say(
    Array.from({ length: 24 }, (_, at) => ({
      ticket: `T-${at}`,
      email: 'ann@example.com',
      page: 'https://example.com/x',
      sent: '2026-01-02T03:04:05Z',
      body: 'x'.repeat(10_000),
      empty: '   ',
      ['n'.repeat(101)]: 'a',
      ...JSON.parse(
        `{${odd.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(`${at % 2}=&"\\ ✓`)}`).join(',')}}`,
      ),
    })),
  )
  expect((await list()).map(({ name }) => name).sort()).toEqual([...odd].sort())
  for (const name of odd) expect([name, await found([[name, ['0=&"\\ ✓']]])]).toEqual([name, [1, 3]])
  // The text of a value that is too long is nowhere, nor is an address.
  const { rows } = await inside(sql`select from attribute_value where length(value) > 100 or value like '%@%'`)
  expect(rows).toEqual([])
})

test('of 10,000 different values the first are kept, and the name is not offered until they are few again', async () => {
  await say([{ plan: 'Pro' }], 8)
  const many = messages(10_000, 8).map((message, at) => ({ ...message, attributes: { plan: 'Pro', serial: `s${at}` } }))
  await world.store(workspace, many)
  await inside(sql`update feedback_item set grouped_seq = 1 where grouped_seq is null`)
  await inside(sql`insert into customer_fill (workspace_id) values (${workspace})`)
  await find()
  const { rows } = await inside<{ count: number; messages: number }>(sql`
    select count(*)::int as count, sum(messages)::int as messages from attribute_value
    join attribute_total on value_id = id where name = 'serial'`)
  expect(rows).toEqual([{ count: 201, messages: 10_000 }])
  expect(await listed()).toEqual([['plan', 'Pro: 10008']])
  await erase(many.map(({ id }) => id))
  await world.store(
    workspace,
    messages(8).map((message) => ({ ...message, attributes: { plan: 'Pro', serial: 'one' } })),
  )
  await find()
  expect(await listed()).toEqual([
    ['plan', 'Pro: 8'],
    ['serial', 'one: 8'],
  ])
})

test('more names than are kept are left out', async () => {
  const names = Array.from({ length: 150 }, (_, at) => [`name ${at}`, 'yes'])
  await say([Object.fromEntries(names)], 8)
  const { rows } = await inside(sql`select from attribute_value`)
  expect(rows.length).toBe(100)
  expect((await list()).length).toBe(30)
})

test('values go at once with their last message, and what is edited moves', async () => {
  await say(ratings('1', '2', '3', '4', '1', '2', '3', '4'))
  await erase(['m0', 'm4'])
  expect(await listed()).toEqual([['rating', '2: 2', '3: 2', '4: 2']])
  expect(await found({ rating: ['1'] })).toEqual([])
  await corrected.group()
  await find()
  const { rows } = await inside(sql`
    select from attribute_value where value = '1'
    union all select from insight_attribute where mentions = 0 union all select from attribute_change`)
  expect(rows).toEqual([])
  await world.store(workspace, said(ratings('9', '5', '3', '4', '1', '2', '3', '4')).slice(1, 2))
  await find()
  expect(await listed()).toEqual([['rating', '2: 1', '3: 2', '4: 2', '5: 1']])
  expect(await found({ rating: ['5'] })).toEqual([2])
  expect(await found({ rating: ['2'] })).toEqual([2])
})

test('messages from before an update are read in small pieces', async () => {
  await say(ratings('1', '2', '3', '4'), 16)
  for (const table of [
    'attribute_value',
    'feedback_attribute',
    'attribute_total',
    'insight_attribute',
    'attribute_change',
  ])
    await inside(sql`delete from ${sql.table(table)}`)
  await inside(sql`insert into customer_fill (workspace_id) values (${workspace})`)
  expect(await list()).toEqual([])
  await findCustomers(world.services, nothing, { batch: 3 })
  expect(await listed()).toEqual([['rating', '1: 4', '2: 4', '3: 4', '4: 4']])
  expect(await found({ rating: ['2'] })).toEqual([2])
})

test('a wrong count is found and repaired by the check of counts', async () => {
  await say(ratings('1', '2', '3', '4'), 16)
  await inside(sql`update insight_attribute set mentions = mentions + 7`)
  await inside(sql`insert into insight_attribute (workspace_id, issue_number, value_id, mentions)
    select workspace_id, 1, id, 3 from attribute_value where value = '4'`)
  expect(await found({ rating: ['4'] })).toEqual([1, 4])
  expect(await checkInsight(world.services, workspace, 1)).toContainEqual({ of: 'attribute', rows: 2 })
  expect(await found({ rating: ['4'] })).toEqual([4])
  expect(await checkInsight(world.services, workspace, 1)).toEqual([])
})

test('a search of all feedback finds the messages with chosen values', async () => {
  await say([{ rating: '1', plan: 'Pro' }, { rating: '2' }, { rating: '1' }, {}], 8)
  const searched = async (query: string) => {
    const { body } = await world.call(workspace, 'GET', `/api/feedback/search?${query}`)
    return (body as { mentions: { text: string }[] }).mentions
      .map(({ text }) => Number(/\((\d)\)/.exec(text)?.[1]))
      .sort((a, b) => a - b)
  }
  expect(await searched('attributes=Rating%3D1')).toEqual([0, 2, 4, 6])
  expect(await searched('attributes=rating%3D1%26rating%3D2%26plan%3Dpro')).toEqual([0, 4])
  expect(await searched('attributes=rating%3D9')).toEqual([])
  expect(await searched('words=CSV&attributes=rating%3D1')).toEqual([0, 4])
  expect((await searched('')).length).toBe(8)
})

test('a workspace sees no attribute and no insight of another', async () => {
  await say(ratings('1', '2', '3', '4'), 16)
  const other = await world.workspace()
  expect(await listed(other)).toEqual([])
  expect(await found({ rating: ['1'] }, other)).toEqual([])
})

test('insights that are not shown are not found', async () => {
  await say(ratings('1'), 16)
  await inside(sql`update insight set hidden = issue_number = 1, ended_at = case when issue_number = 2 then now() end,
    deleted_at = case when issue_number = 3 then now() end`)
  expect(await found({ rating: ['1'] })).toEqual([4])
})

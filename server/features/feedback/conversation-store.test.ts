import { randomUUID } from 'node:crypto'
import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { fileConnection } from '../connections/index.ts'
import { deleteThreads, readThread } from './conversation-store.ts'
import { countItemsToGroup, deleteItems, storeItems } from './store.ts'

let ann: TestPerson
let connectionId: string

const app = appOfFile((services) => accountRoutes(services))
beforeEach(async () => {
  ann = await app.person(randomUUID())
  connectionId = (await inOwn((tx) => fileConnection(tx, ann.workspaceId))).id
})

const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(app.services.db, ann.workspaceId, work)
const store = (...items: FeedbackItem[]) => inOwn((tx) => storeItems(tx, ann.workspaceId, connectionId, items))
const rows = async (table: 'feedback_item' | 'context_message') => {
  const found = await inOwn((tx) =>
    sql<{ id: string; text: string; attributes?: object; attachments: string[] }>`
      select external_id as id, text, attachments from ${sql.table(table)} order by said_at, external_id`.execute(tx),
  )
  return found.rows.map(({ id, text }) => `${id}: ${text}`)
}
const idOf = async (externalId: string) => {
  const found = await inOwn((tx) =>
    sql<{ id: number }>`select id from feedback_item where external_id = ${externalId}`.execute(tx),
  )
  return found.rows[0]?.id ?? 0
}
const threadOf = async (externalId: string) => {
  const id = await idOf(externalId)
  return inOwn((tx) => readThread(tx, ann.workspaceId, id))
}

let minute = 0
beforeEach(() => {
  minute = 0
})
function message(externalId: string, text: string, more: Partial<FeedbackItem> = {}): FeedbackItem {
  minute += 1
  const at = new Date(Date.UTC(2026, 4, 1, 10, minute))
  return { externalId, text, author: null, at, link: null, thread: 't1', place: null, ...more }
}
const agent = (externalId: string, text: string, more: Partial<FeedbackItem> = {}) =>
  message(externalId, text, { role: 'agent', ...more })

test('what an agent wrote is context: it is never grouped or counted', async () => {
  const stored = await store(message('1', 'Exports fail'), agent('2', 'Which browser?'), message('3', 'Firefox'))
  expect(stored).toMatchObject({ added: 2, known: 1, changed: [] })
  expect(await rows('feedback_item')).toEqual(['1: Exports fail', '3: Firefox'])
  expect(await rows('context_message')).toEqual(['2: Which browser?'])
  expect(await inOwn((tx) => countItemsToGroup(tx, ann.workspaceId))).toBe(2)
  await store(agent('2', 'Which browser do you use?'), agent('9', 'Outside any conversation', { thread: null }))
  expect(await rows('context_message')).toEqual(['2: Which browser do you use?'])
})

test('a message whose author turns out to be an agent, or a customer, changes sides', async () => {
  await store(message('1', 'Exports fail'), message('2', 'Hello, this is support'))
  await store(agent('2', 'Hello, this is support'))
  expect([await rows('feedback_item'), await rows('context_message')]).toEqual([
    ['1: Exports fail'],
    ['2: Hello, this is support'],
  ])
  await store(message('2', 'Hello, this is support'))
  expect(await rows('feedback_item')).toEqual(['1: Exports fail', '2: Hello, this is support'])
  expect(await rows('context_message')).toEqual([])
})

test('the conversation around an item is read in order, with who wrote what, up to ten messages each way', async () => {
  await store(message('1', 'Exports fail', { attachments: ['error.png'] }), agent('2', 'Which browser?'))
  await store(message('3', 'Firefox'), message('x', 'Another conversation', { thread: 't2' }))
  const { messages, earlier, later } = await threadOf('3')
  expect(messages.map(({ itemId, text, attachments }) => [itemId !== null, text, attachments])).toEqual([
    [true, 'Exports fail', ['error.png']],
    [false, 'Which browser?', []],
    [true, 'Firefox', []],
  ])
  expect([earlier, later]).toEqual([false, false])
  await store(...Array.from({ length: 30 }, (_, index) => agent(`a${index}`, `Reply ${index}`)))
  await store(message('last', 'Still broken'))
  const long = await threadOf('3')
  expect([long.messages.length, long.earlier, long.later]).toEqual([13, false, true])
  const end = await threadOf('last')
  expect([end.messages.length, end.messages.at(-1)?.text, end.earlier, end.later]).toEqual([
    11,
    'Still broken',
    true,
    false,
  ])
})

test('an item without a thread is alone, and one that does not exist has no conversation', async () => {
  await store(message('1', 'Alone', { thread: null }), message('2', 'Alone too', { thread: null }))
  expect((await threadOf('1')).messages.map(({ text }) => text)).toEqual(['Alone'])
  expect(await threadOf('none')).toEqual({ messages: [], attributes: {}, earlier: false, later: false })
})

test('a deleted conversation takes both sides with it, and nothing of another one or another connection', async () => {
  await store(message('1', 'Exports fail'), agent('2', 'Which browser?'), message('3', 'Other', { thread: 't2' }))
  expect(await inOwn((tx) => deleteThreads(tx, ann.workspaceId, connectionId, []))).toEqual({ ids: [], items: 0 })
  expect(await inOwn((tx) => deleteThreads(tx, ann.workspaceId, randomUUID(), ['t1']))).toEqual({ ids: [], items: 0 })
  expect(await inOwn((tx) => deleteThreads(tx, ann.workspaceId, connectionId, ['t1', 'unknown']))).toEqual({
    ids: ['1', '2'],
    items: 1,
  })
  expect([await rows('feedback_item'), await rows('context_message')]).toEqual([['3: Other'], []])
})

test('a deleted message is removed on whichever side it is', async () => {
  await store(message('1', 'Exports fail'), agent('2', 'Which browser?'))
  expect(await inOwn((tx) => deleteItems(tx, ann.workspaceId, connectionId, ['1', '2', '3']))).toBe(1)
  expect([await rows('feedback_item'), await rows('context_message')]).toEqual([[], []])
})

test('attributes and attachments are stored, replaced without grouping again, and hold any text', async () => {
  const read = async () => {
    const found = await inOwn((tx) =>
      sql<{ attributes: object; attachments: string[]; grouped: number | null }>`
        select attributes, attachments, grouped_seq as grouped from feedback_item`.execute(tx),
    )
    return found.rows[0]
  }
  const more = { attributes: { subject: 'Export \0 "CSV"', 'a\0b': '\ud800' }, attachments: ['a\0.png', 'ü.pdf'] }
  await store(message('1', 'Exports fail', more))
  expect(await read()).toEqual({
    attributes: { subject: 'Export  "CSV"', ab: '\ufffd' },
    attachments: ['a.png', 'ü.pdf'],
    grouped: null,
  })
  await inOwn((tx) => sql`update feedback_item set grouped_seq = 5`.execute(tx))
  const again = await store(message('1', 'Exports fail', { attributes: { subject: 'Export' } }))
  expect(again).toMatchObject({ added: 0, changed: [] })
  expect(await read()).toEqual({ attributes: { subject: 'Export' }, attachments: [], grouped: 5 })
})

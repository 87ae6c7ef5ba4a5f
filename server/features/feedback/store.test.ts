import { randomUUID } from 'node:crypto'
import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { fileConnection } from '../connections/index.ts'
import { exportFeedback } from './export.ts'
import { deleteItems, externalIdsIn, storeItems } from './store.ts'

let ann: TestPerson
let connectionId: string

const test = appOfFile((services) => accountRoutes(services))
beforeEach(async () => {
  ann = await test.person(randomUUID())
  connectionId = (await inOwn((tx) => fileConnection(tx, ann.workspaceId))).id
})

const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(test.services.db, ann.workspaceId, work)
const store = (...items: FeedbackItem[]) => inOwn((tx) => storeItems(tx, ann.workspaceId, connectionId, items))
const rows = async () => {
  const found = await inOwn((tx) =>
    sql<Row>`select id, external_id as "externalId", text, author, place, grouped_seq as "groupedSeq"
      from feedback_item order by id`.execute(tx),
  )
  return found.rows
}

type Row = {
  id: number
  externalId: string
  text: string
  author: string | null
  place: string | null
  groupedSeq: number | null
}

function item(externalId: string, text: string, more: Partial<FeedbackItem> = {}): FeedbackItem {
  const at = new Date('2026-05-01T10:00:00Z')
  return { externalId, text, author: null, at, link: null, thread: null, place: null, ...more }
}

describe('storing items', () => {
  it('keeps each once, in the order given', async () => {
    const first = await store(item('c', 'three'), item('a', 'one'), item('b', 'two'))
    expect(first).toMatchObject({ added: 3, known: 0, changed: [] })
    expect((await rows()).map((row) => row.text)).toEqual(['three', 'one', 'two'])
    expect([first.firstId, first.lastId]).toEqual([(await rows())[0]?.id, (await rows())[2]?.id])
    const second = await store(item('a', 'one'), item('d', 'four'))
    expect(second).toMatchObject({ added: 1, known: 1, changed: [] })
    expect(await store()).toEqual({ added: 0, known: 0, changed: [], firstId: null, lastId: null })
  })

  it('takes the last of several with one id', async () => {
    expect(await store(item('a', 'draft'), item('a', 'final'))).toMatchObject({ added: 1, known: 1 })
    expect((await rows()).map((row) => row.text)).toEqual(['final'])
  })

  it('takes over an edit, and counts a changed text as ungrouped again', async () => {
    await store(item('a', 'before'), item('b', 'same'))
    const [a, b] = await rows()
    if (!a || !b) throw new Error('not stored')
    await inOwn((tx) => sql`update feedback_item set grouped_seq = id`.execute(tx))
    const again = await store(item('a', 'after'), item('b', 'same', { author: 'Bo', at: new Date(0) }))
    expect(again).toMatchObject({ added: 0, known: 2, changed: [a.id] })
    expect(await rows()).toEqual([
      { ...a, text: 'after', groupedSeq: null },
      { ...b, author: 'Bo', groupedSeq: b.id },
    ])
  })

  it('keeps a message, of a customer or an agent, without a link that is no address of a web page', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://a@evil.example/',
      'https://\0x',
    ]
    await store(
      item('good', 'kept', { thread: 't', link: 'https://desk.example/1' }),
      ...links.map((link, at) => item(`c${at}`, 'kept', { thread: 't', link })),
      ...links.map((link, at) => item(`a${at}`, 'kept', { thread: 't', link, role: 'agent' })),
    )
    const stored = async (table: 'feedback_item' | 'context_message') => {
      const found = await inOwn((tx) =>
        sql<{
          text: string
          link: string | null
        }>`select text, link from ${sql.table(table)} order by external_id`.execute(tx),
      )
      return found.rows
    }
    const dropped = links.map(() => ({ text: 'kept', link: null }))
    expect(await stored('feedback_item')).toEqual([...dropped, { text: 'kept', link: 'https://desk.example/1' }])
    expect(await stored('context_message')).toEqual(dropped)
  })

  it('forgets the link of a message whose source has a bad one now, and changes nothing again', async () => {
    await store(item('a', 'same', { link: 'https://desk.example/1' }))
    const bad = item('a', 'same', { link: 'javascript:alert(1)' })
    expect(await store(bad)).toMatchObject({ added: 0, known: 1, changed: [] })
    const linked = await inOwn((tx) => sql<{ link: string | null }>`select link from feedback_item`.execute(tx))
    expect(linked.rows).toEqual([{ link: null }])
  })

  it('keeps every character that a database can hold', async () => {
    const text = 'Ünïcödé 💥 "quoted" \\ back\tslash\n{curly,} NULL'
    await store(item('{a,"b"}', text, { place: '' }), item('nul', 'a\0b\ud800c'))
    expect((await rows()).map((row) => [row.externalId, row.text, row.place])).toEqual([
      ['{a,"b"}', text, ''],
      ['nul', 'ab\ufffdc', null],
    ])
  })

  it('at the same time from two sides adds nothing twice', async () => {
    const items = Array.from({ length: 500 }, (_, index) => item(`id ${index}`, `text ${index}`))
    const both = await Promise.all([store(...items), store(...items.toReversed())])
    expect(both.reduce((sum, one) => sum + one.added, 0)).toBe(500)
    expect(await rows()).toHaveLength(500)
  })

  it('ends with the source', async () => {
    await store(item('a', 'one'), item('b', 'two'))
    expect(await inOwn((tx) => deleteItems(tx, ann.workspaceId, connectionId, ['a', 'gone']))).toBe(1)
    expect((await rows()).map((row) => row.externalId)).toEqual(['b'])
  })
})

describe('the items of a span', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute))
  const span = { prefix: 'T:C1:', thread: null, after: null, before: null }
  const idsIn = async (given: Partial<Parameters<typeof externalIdsIn>[3]>) =>
    (await inOwn((tx) => externalIdsIn(tx, ann.workspaceId, connectionId, { ...span, ...given }))).toSorted()

  beforeEach(async () => {
    await store(
      item('T:C1:1', 'root', { thread: 'T:C1:1', at: at(1) }),
      item('T:C1:2', 'reply', { thread: 'T:C1:1', at: at(2) }),
      item('T:C1:3', 'root', { thread: 'T:C1:3', at: at(3) }),
      item('T:C1:4', 'reply', { thread: 'T:C1:1', at: at(4) }),
      item('T:C1:5', 'root', { thread: 'T:C1:5', at: at(5) }),
      item('T:C10:6', 'of another place', { thread: 'T:C10:6', at: at(3) }),
      item('T:C1:7', 'without a thread', { at: at(3) }),
    )
  })

  it('are the first ones of threads in this place, without the edges', async () => {
    expect(await idsIn({})).toEqual(['T:C1:1', 'T:C1:3', 'T:C1:5'])
    expect(await idsIn({ after: at(1) })).toEqual(['T:C1:3', 'T:C1:5'])
    expect(await idsIn({ after: at(1), before: at(5) })).toEqual(['T:C1:3'])
    expect(await idsIn({ after: at(3), before: at(5) })).toEqual([])
    expect(await idsIn({ prefix: 'T:C9:' })).toEqual([])
  })

  it('or the others of one thread', async () => {
    expect(await idsIn({ thread: 'T:C1:1' })).toEqual(['T:C1:2', 'T:C1:4'])
    expect(await idsIn({ thread: 'T:C1:1', after: at(2) })).toEqual(['T:C1:4'])
    expect(await idsIn({ thread: 'T:C1:3' })).toEqual([])
  })

  it('are of this connection and workspace only', async () => {
    const bo = await test.person(randomUUID())
    const other = await inWorkspace(test.services.db, bo.workspaceId, (tx) => fileConnection(tx, bo.workspaceId))
    const found = await inWorkspace(test.services.db, bo.workspaceId, (tx) =>
      externalIdsIn(tx, bo.workspaceId, other.id, span),
    )
    expect(found).toEqual([])
  })
})

describe('exporting', () => {
  it('hands out everything of one workspace, beyond one page', async () => {
    const items = Array.from({ length: 1_205 }, (_, index) => item(`${index}`, `text ${index}`))
    await store(...items)
    const exported = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
    expect(exported.map((one) => one.external_id)).toEqual(items.map((one) => one.externalId))
    expect(exported[0]).toMatchObject({ source: 'file', text: 'text 0', date: '2026-05-01T10:00:00.000Z' })
    const bo = await test.person(randomUUID())
    expect(await Array.fromAsync(exportFeedback(test.services, bo.workspaceId))).toEqual([])
  })
})

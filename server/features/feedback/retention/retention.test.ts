import { randomUUID } from 'node:crypto'
import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import type { Retention } from '@groundswell/contract/feedback/retention.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { addFileSource } from '../../connections/index.ts'
import { storeItems } from '../store.ts'
import { expireFeedback, retentionRoutes } from './retention.ts'

const DAY_MS = 86_400_000

let ann: TestPerson
let tickets: string
let survey: string
const grouped: string[] = []
const erasing: { author: string; itemIds: readonly number[] }[] = []
const hooks = {
  stored: async (_: Tx, workspaceId: string) => void grouped.push(workspaceId),
  erasing: async (_tx: Tx, _workspaceId: string, erased: { author: string; itemIds: readonly number[] }) =>
    void erasing.push(erased),
}

const test = appOfFile((services) => [...accountRoutes(services), ...retentionRoutes(services, hooks)])
beforeEach(async () => {
  ann = await test.person(randomUUID())
  tickets = (await inOwn((tx) => addFileSource(tx, ann.workspaceId, 'tickets.csv'))).id
  survey = (await inOwn((tx) => addFileSource(tx, ann.workspaceId, 'survey.csv'))).id
  grouped.length = 0
  erasing.length = 0
})

const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(test.services.db, ann.workspaceId, work)
const store = (source: string, ...items: FeedbackItem[]) =>
  inOwn((tx) => storeItems(tx, ann.workspaceId, source, items))
const item = (externalId: string, daysAgo: number, more: Partial<FeedbackItem> = {}): FeedbackItem => ({
  externalId,
  text: `text of ${externalId}`,
  author: null,
  at: new Date(Date.now() - daysAgo * DAY_MS),
  link: null,
  thread: null,
  place: null,
  ...more,
})
const ids = async () => {
  const { rows } = await inOwn((tx) =>
    sql<{ id: string }>`
      select external_id as id from feedback_item union all select external_id from context_message order by 1`.execute(
      tx,
    ),
  )
  return rows.map(({ id }) => id)
}
const call = async (method: 'GET' | 'PUT' | 'POST', path: string, payload?: object) => {
  const answer = await test.call(method, path, { as: ann, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, body: answer.json() }
}
const set = (days: number | null, sources: { id: string; days: number | null }[] = []) =>
  call('PUT', '/api/retention', { days, sources })
const expire = () => expireFeedback(test.services, hooks)

it('keeps everything unless days are set, and then deletes what is older, by the days of its own source', async () => {
  const agent = item('answer', 40, { role: 'agent', thread: 't' })
  await store(tickets, item('old', 400), item('new', 20), agent)
  await store(survey, item('old survey', 400), item('new survey', 20))
  expect((await call('GET', '/api/retention')).body).toMatchObject({ days: null })
  expect((await expire()).visited).toBe(0)
  expect(await ids()).toHaveLength(5)

  const { status, body } = await set(30, [{ id: survey, days: 1_000 }])
  expect(status).toBe(200)
  const { days, sources } = body as Retention
  expect(days).toBe(30)
  expect(sources.map(({ name, label, messages, days }) => ({ name, label, messages, days }))).toEqual([
    { name: 'tickets.csv', label: 'File', messages: 3, days: null },
    { name: 'survey.csv', label: 'File', messages: 2, days: 1_000 },
  ])
  await expire()
  expect(await ids()).toEqual(['new', 'new survey', 'old survey'])
  expect(grouped).toContain(ann.workspaceId)
  expect((await expire()).visited).toBe(0)

  await set(null, [{ id: survey, days: null }])
  expect((await call('GET', '/api/retention')).body).toMatchObject({
    days: null,
    sources: [{ days: null }, { days: null }],
  })
})

it('stores nothing again that would have expired', async () => {
  await set(30)
  expect(await store(tickets, item('old', 31), item('new', 29))).toMatchObject({ added: 1, known: 1 })
  expect(await ids()).toEqual(['new'])
})

it('deletes more than fits into one transaction', async () => {
  await store(tickets, ...Array.from({ length: 1_100 }, (_, n) => item(`m${n}`, 50)), item('new', 1))
  await set(30)
  await expire()
  expect(await ids()).toEqual(['new'])
})

it('erases a person in every source, and does not store their messages again', async () => {
  const of = (author: string | null) => ({ author })
  const written = [item('a', 1, of('Bo Berg')), item('b', 2, of('bo berg')), item('c', 3, of('Bo')), item('d', 3)]
  const answer = item('e', 1, { author: 'Bo Berg', role: 'agent', thread: 't' })
  await store(tickets, ...written, answer)
  await store(survey, item('a', 1, of('Bo Berg')))
  expect(await call('POST', '/api/erasure', { author: ' Bo Berg ' })).toEqual({ status: 200, body: { removed: 4 } })
  expect(await ids()).toEqual(['c', 'd'])
  expect(erasing).toEqual([
    { author: 'Bo Berg', itemIds: [expect.any(Number), expect.any(Number), expect.any(Number)] },
  ])
  expect(grouped).toEqual([ann.workspaceId])

  expect(await store(tickets, ...written, answer)).toMatchObject({ added: 0, known: 5 })
  expect(await store(survey, item('a', 1, of('Bo Berg')))).toMatchObject({ added: 0, known: 1 })
  expect(await ids()).toEqual(['c', 'd'])
  const { rows } = await inOwn((tx) => sql<{ row: string }>`select e::text as row from erased_message e`.execute(tx))
  expect(rows).toHaveLength(4)
  expect(rows.map(({ row }) => row).join()).not.toMatch(/bo/i)
  expect((await call('POST', '/api/erasure', { author: 'Bo Berg' })).body).toEqual({ removed: 0 })
})

describe('an erasure at the same time as', () => {
  const of = (author: string) => ({ author })
  const erase = () => call('POST', '/api/erasure', { author: 'Bo Berg' })
  /** What is left of Bo Berg in any column of the tables of messages. */
  const leftOver = async () => {
    const { rows } = await inOwn((tx) =>
      sql<{ left: string }>`
        select i::text as left from feedback_item i where i::text ilike '%bo berg%'
        union all select c::text from context_message c where c::text ilike '%bo berg%'
        union all select r::text from replaced_text r where r::text ilike '%bo berg%'`.execute(tx),
    )
    return rows
  }
  /** Runs `calls`, each once the one before waits for a lock, while another transaction does `first`, which is undone once all of them wait or have ended. */
  const behind = async (first: (tx: Tx) => Promise<unknown>, calls: readonly (() => Promise<unknown>)[]) => {
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = inOwn(async (tx) => {
      await first(tx)
      held.resolve()
      await release.promise
      throw new Undone()
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
    await held.promise
    let ended = 0
    const running = []
    for (const [index, one] of calls.entries()) {
      running.push(one().finally(() => (ended += 1)))
      await vi.waitUntil(async () => ended + (await waiting()) > index, { timeout: 30_000 })
    }
    release.resolve()
    await holding
    return Promise.all(running)
  }
  const waiting = async () => {
    const { rows } = await test.services.db.pool.query<{ count: number }>(`
      select count(distinct l.pid)::int as count from pg_locks l
      where not l.granted and l.pid in (select pid from pg_stat_activity where datname = current_database())`)
    return rows[0]?.count ?? 0
  }

  it('another owner’s is made once: both succeed, and one says that there was nothing left', async () => {
    await store(tickets, item('a', 1, of('Bo Berg')), item('b', 2, of('bo berg')), item('c', 3))
    const lockOne = (tx: Tx) => sql`select from feedback_item where external_id = 'b' for update`.execute(tx)
    const answers = await behind(lockOne, [erase, erase])
    expect(answers).toEqual([
      { status: 200, body: { removed: 2 } },
      { status: 200, body: { removed: 0 } },
    ])
    expect([await ids(), await leftOver()]).toEqual([['c'], []])
  })

  it('a sync that has begun before: what it reads again is not stored again', async () => {
    await store(tickets, item('a', 1, of('Bo Berg')), item('c', 3))
    const storing = (tx: Tx) => storeItems(tx, ann.workspaceId, tickets, [item('new', 1)])
    const again = () => store(tickets, item('new', 1), item('a', 1, of('Bo Berg')))
    const [, erased] = await behind(storing, [again, erase])
    expect(erased).toEqual({ status: 200, body: { removed: 1 } })
    expect([await ids(), await leftOver()]).toEqual([['c', 'new'], []])
  })
})

class Undone extends Error {}

it('refuses days out of range, a foreign source, and an empty name', async () => {
  expect((await set(0)).status).toBe(400)
  expect((await set(30, [{ id: randomUUID(), days: 3 }])).status).toBe(404)
  expect((await call('GET', '/api/retention')).body.days).toBe(null)
  expect((await call('POST', '/api/erasure', { author: '  ' })).status).toBe(400)
})

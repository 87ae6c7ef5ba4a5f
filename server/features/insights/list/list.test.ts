import { Insight } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { raiseRevision } from '../revision.ts'
import { withWorld, world } from '../testing.ts'

const URL = '/api/insights/get-all'

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T10:20:00Z')
  workspace = await world.workspace()
})

const said = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    message: `Hi! The export fails (${at})`,
    text: `The export fails (${at})`,
  }))
const list = async () => z.array(Insight).parse((await world.call(workspace, 'GET', URL)).body)

test('an empty workspace has an empty list', async () => {
  expect(await world.call(workspace, 'GET', URL)).toMatchObject({ status: 200, body: [] })
})

test('insights come newest first, with the newest twenty mentions, counts, sources and no categories', async () => {
  await world.insight(workspace, 1, said(25))
  world.now = new Date('2026-03-04T11:00:00Z')
  await world.insight(workspace, 2, said(2))
  const [second, first] = await list()
  expect(second).toMatchObject({ issue_number: 2, issue_name: 'issue 2', status: 'created', categories: [] })
  expect(first).toMatchObject({ issue_number: 1, mention_count: 25, sources: ['file'], summary: 'what they say' })
  expect(first?.evidence.map(({ text }) => text)).toEqual(
    Array.from({ length: 20 }, (_, at) => `The export fails (${24 - at})`),
  )
  expect(first?.evidence[0]).toMatchObject({ link: null, source: 'file', date: '2026-03-04T10:20:00.000Z' })
})

test('an insight has every field of the spec; of its mentions each has its text, link and date', async () => {
  const about = (thread: number, at: string) => ({
    message: `Hi! The export fails in ${thread}`,
    text: `The export fails in ${thread}`,
    link: `https://example.com/thread/${thread}`,
    at: new Date(at),
  })
  await world.insight(workspace, 1, said(1))
  world.now = new Date('2026-03-04T11:00:00Z')
  await world.insight(workspace, 7, [about(1, '2026-03-01T08:00:00Z'), about(2, '2026-03-02T09:30:00Z')])
  const [first] = (await world.call(workspace, 'GET', URL)).body as unknown[]
  expect(first).toMatchObject({
    issue_number: 7,
    issue_name: 'issue 7',
    summary: 'what they say',
    status: 'created',
    last_updated: '2026-03-04T11:00:00.000Z',
    evidence: [
      { text: 'The export fails in 2', link: 'https://example.com/thread/2', date: '2026-03-02T09:30:00.000Z' },
      { text: 'The export fails in 1', link: 'https://example.com/thread/1', date: '2026-03-01T08:00:00.000Z' },
    ],
    categories: [],
  })
})

test('an insight has the fields of the contract, and leaves out those without a value', async () => {
  await world.insight(workspace, 1, said(2))
  const fields = async () => Object.keys((await list())[0] ?? {}).toSorted()
  const always = [
    'categories',
    'evidence',
    'first_seen',
    'issue_name',
    'issue_number',
    'last_seen',
    'last_updated',
    'mention_count',
    'people_count',
    'revision',
    'sources',
    'status',
    'summary',
    'trend',
    'trend_end',
  ]
  expect(await fields()).toEqual(always)
  await world.inside(workspace, async (tx) => {
    const revision = await raiseRevision(tx, workspace)
    await sql`update insight set customer_count = 2, revenue = 0, main_kind = 'problem', team_status = 'planned', text_count = 1,
      author_count = 0, first_date_only = true, last_date_only = true, revision = ${revision}`.execute(tx)
  })
  const known = Object.keys(Insight.shape).filter((name) => name !== 'assigned_to')
  await expect.poll(fields).toEqual(known.toSorted())
})

test('deleted, ended and hidden insights are left out', async () => {
  for (const issue of [1, 2, 3, 4]) await world.insight(workspace, issue, said(2))
  expect(await list()).toHaveLength(4)

  await world.inside(workspace, async (tx) => {
    const revision = await raiseRevision(tx, workspace)
    await sql`update insight set hidden = issue_number = 1, ended_at = case when issue_number = 2 then now() end,
      deleted_at = case when issue_number = 3 then now() end, revision = ${revision}`.execute(tx)
  })
  await expect.poll(async () => (await list()).map((one) => one.issue_number)).toEqual([4])
})

test('the trend counts mentions by week, the current week last', async () => {
  const at = (text: string) => ({ ...(said(1)[0] as { message: string; text: string }), at: new Date(text) })
  await world.insight(workspace, 1, [
    at('2026-03-04T10:00:00Z'),
    at('2026-03-02T00:00:00Z'),
    at('2026-03-01T23:59:59Z'),
    at('2025-12-15T00:00:00Z'),
    at('2025-12-14T23:59:59Z'),
  ])
  expect((await list())[0]?.trend).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
  const before = (await world.call(workspace, 'GET', URL)).etag
  world.now = new Date('2026-03-09T00:00:00Z')
  const after = await world.call(workspace, 'GET', URL, { 'if-none-match': before })
  expect(after.status).toBe(200)
  expect((await list())[0]?.trend).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0])
})

test('the trend of an insight with only old mentions ends with the newest one, and shows it', async () => {
  const at = (text: string) => ({ ...(said(1)[0] as { message: string; text: string }), at: new Date(text) })
  await world.insight(workspace, 1, [
    at('2024-05-08T10:00:00Z'),
    at('2024-05-06T00:00:00Z'),
    at('2024-03-01T00:00:00Z'),
  ])
  await world.insight(workspace, 2, [at('2025-12-15T00:00:00Z')])
  await world.insight(workspace, 3, [at('2025-12-14T23:59:59Z')])
  await world.inside(workspace, (tx) =>
    sql`update insight set last_seen = (select max(said_at) from statement s where s.issue_number = insight.issue_number)`.execute(
      tx,
    ),
  )
  const trends = new Map((await list()).map((one) => [one.issue_number, [one.trend, one.trend_end]]))
  expect(trends.get(1)).toEqual([[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], '2024-05-13T00:00:00.000Z'])
  expect(trends.get(2)).toEqual([[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], null])
  expect(trends.get(3)).toEqual([[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], '2025-12-15T00:00:00.000Z'])
})

test('a poll that finds nothing new returns 304 and makes no query; a change is seen', async () => {
  await world.insight(workspace, 1, said(2))
  const { etag } = await world.call(workspace, 'GET', URL)
  const connect = vi.spyOn(world.services.db.pool, 'connect')
  for (let poll = 0; poll < 20; poll += 1) {
    const answer = await world.call(workspace, 'GET', URL, { 'if-none-match': etag })
    expect(answer).toMatchObject({ status: 304, text: '', etag })
  }
  expect(connect).not.toHaveBeenCalled()
  await world.insight(workspace, 2, said(2))
  connect.mockClear()
  await expect
    .poll(() => world.call(workspace, 'GET', URL, { 'if-none-match': etag }))
    .toMatchObject({ status: 200, body: [{ issue_number: 2 }, { issue_number: 1 }] })
  expect(connect).toHaveBeenCalled()
  connect.mockRestore()
})

test('the ETag of one workspace does not confirm the list of another at the same revision', async () => {
  const other = await world.workspace()
  for (const one of [workspace, other]) await world.insight(one, 1, said(2))
  const [mine, theirs] = [await world.call(workspace, 'GET', URL), await world.call(other, 'GET', URL)]
  const versions = [mine, theirs].map(({ etag }) => etag.split('-').slice(-2).join('-'))
  expect(versions[0]).toBe(versions[1])
  expect(await world.call(other, 'GET', URL, { 'if-none-match': mine.etag })).toMatchObject({
    status: 200,
    etag: theirs.etag,
    text: theirs.text,
  })
  expect((await world.call(workspace, 'GET', URL, { 'if-none-match': mine.etag })).status).toBe(304)
})

test('the list is shown even if the stored tags are not a list', async () => {
  await world.insight(workspace, 1, said(2))
  await world.inside(workspace, (tx) => sql`update workspace set settings = '{"categories": {}}'`.execute(tx))
  expect((await list()).map(({ categories }) => categories)).toEqual([[]])
})

test('only what has changed is read again', async () => {
  for (const issue of [1, 2, 3]) await world.insight(workspace, issue, said(2))
  await list()

  await world.inside(workspace, (tx) => sql`update insight set name = 'not announced'`.execute(tx))
  await world.insight(workspace, 2, said(1))
  await expect
    .poll(async () => (await list()).map((one) => `${one.issue_number} ${one.issue_name} ${one.mention_count}`).sort())
    .toEqual(['1 issue 1 2', '2 not announced 3', '3 issue 3 2'])
})

test('in a list of more than 500 insights each has its newest three mentions', async () => {
  await world.insight(workspace, 1, said(9))
  expect((await list())[0]?.evidence).toHaveLength(9)
  await world.insight(workspace, 2, said(1))
  await world.inside(workspace, (tx) =>
    sql`insert into insight (workspace_id, issue_number, name, summary, revision)
      select ${workspace}::uuid, n, 'more', 'more', (select revision from workspace) from generate_series(3, 510) n`.execute(
      tx,
    ),
  )
  const lengths = async () => {
    const all = await list()
    return [all.length, all.find((one) => one.issue_number === 1)?.evidence.length]
  }
  await expect.poll(lengths).toEqual([510, 3])
})

test('a workspace never sees the insights of another', async () => {
  await world.insight(workspace, 1, said(2))
  const other = await world.workspace()
  expect((await world.call(other, 'GET', URL)).body).toEqual([])
  expect((await world.call(other, 'GET', '/api/insights/1/evidence')).status).toBe(404)
  expect((await world.call(other, 'DELETE', '/api/insights/1')).status).toBe(404)
  expect(await list()).toHaveLength(1)
})

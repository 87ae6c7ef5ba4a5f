import { INSIGHTS_DELTA, Insight, InsightsDelta } from '@groundswell/contract/insights.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { withWorld, world } from '../testing.ts'

const URL = '/api/insights/get-all'
const HEADER = INSIGHTS_DELTA.toLowerCase()

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T10:20:00Z')
  workspace = await world.workspace()
})

const said = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ message: `The export fails (${at})`, text: `The export fails (${at})` }))

const ask = async (headers: Record<string, string> = {}, token = workspace) => {
  const reply = await world.app.inject({ url: URL, headers: { authorization: `Bearer ${token}`, ...headers } })
  return {
    status: reply.statusCode,
    etag: String(reply.headers.etag),
    delta: reply.headers[HEADER],
    vary: String(reply.headers.vary).toLowerCase().split(', '),
    cache: reply.headers['cache-control'],
    body: reply.body === '' ? null : (reply.json() as unknown),
  }
}
const since = (etag: string, token = workspace) => ask({ 'if-none-match': etag, [INSIGHTS_DELTA]: 'wanted' }, token)
const insights = (body: unknown) => z.array(Insight).parse(body)

/** The list as a client has it that applied a reply to the list before. */
function applied(before: unknown, { delta, body }: { delta: unknown; body: unknown }): Insight[] {
  if (delta !== 'since') return insights(body)
  const { changed, removed } = InsightsDelta.parse(body)
  const gone = new Set([...removed, ...changed.map((one) => one.issue_number)])
  return [...insights(before).filter((one) => !gone.has(one.issue_number)), ...changed].sort(
    (a, b) => Date.parse(b.last_updated) - Date.parse(a.last_updated) || b.issue_number - a.issue_number,
  )
}

async function fill(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await world.insight(workspace, number, said(2))
}

const changedBy = async (work: () => Promise<unknown>, etag: string) => {
  await work()
  await expect.poll(async () => (await ask({ 'if-none-match': etag })).status).toBe(200)
}

test('the first call is a plain one and gets the whole list, which offers what changes afterwards', async () => {
  await fill(4)
  const first = await ask()
  expect(first).toMatchObject({ status: 200, delta: 'offered', cache: 'private, no-cache' })
  expect(first.vary).toContain(HEADER)
  expect(insights(first.body)).toHaveLength(4)
  const same = await since(first.etag)
  expect(same).toMatchObject({ status: 304, delta: 'offered', body: null, etag: first.etag })
  expect(same.vary).toContain(HEADER)
})

test('what changed, came and went since a reply leads to the list that a plain call gets', async () => {
  await fill(8)
  const first = await ask()
  world.now = new Date('2026-03-04T11:00:00Z')
  await changedBy(async () => {
    await world.insight(workspace, 3, said(1))
    await world.insight(workspace, 9, said(2))
    await world.call(workspace, 'DELETE', '/api/insights/5')
  }, first.etag)
  const delta = await since(first.etag)
  const whole = await ask()
  expect(delta).toMatchObject({ status: 200, delta: 'since', etag: whole.etag, cache: 'no-store' })
  expect(delta.vary).toContain(HEADER)
  const { changed, removed } = InsightsDelta.parse(delta.body)
  expect([changed.map((one) => one.issue_number).toSorted((a, b) => a - b), removed]).toEqual([[3, 9], [5]])
  expect(applied(first.body, delta)).toEqual(whole.body)

  await changedBy(() => world.call(workspace, 'POST', '/api/insights/5/restore'), whole.etag)
  const restored = await since(whole.etag)
  const fromFirst = await since(first.etag)
  const now = await ask()
  expect(applied(whole.body, restored)).toEqual(now.body)
  expect(applied(first.body, fromFirst)).toEqual(now.body)
  expect(InsightsDelta.parse(fromFirst.body).removed).toEqual([])
})

test('a client that does not ask for it gets the whole list, whatever it has', async () => {
  await fill(4)
  const { etag } = await ask()
  await changedBy(() => world.insight(workspace, 3, said(1)), etag)
  const reply = await ask({ 'if-none-match': etag })
  expect(reply.delta).toBe('offered')
  expect(insights(reply.body)).toHaveLength(4)
})

test('a revision that is not known gets the whole list: of another week, another process, the future, or another caller', async () => {
  await fill(6)
  const first = await ask()
  await changedBy(() => world.insight(workspace, 3, said(1)), first.etag)
  expect((await since(first.etag)).delta).toBe('since')
  const revision = Number(/-(\d+)"$/.exec(first.etag)?.[1])
  const to = (other: number | string) => first.etag.replace(/-\d+"$/, `-${other}"`)
  for (const etag of [to(revision - 1), to(revision + 100), to('x'), '"nonsense"', `${first.etag}, ${to(1)}`]) {
    const reply = await since(etag)
    expect([etag, reply.status, reply.delta]).toEqual([etag, 200, 'offered'])
  }
  const other = await world.workspace()
  expect(await since(first.etag, other)).toMatchObject({ status: 200, delta: 'offered', body: [] })
  world.now = new Date('2026-03-11T10:20:00Z')
  const nextWeek = await since(first.etag)
  expect(nextWeek.delta).toBe('offered')
  expect(insights(nextWeek.body)).toHaveLength(6)
})

test('changes that are about as long as the list are not worth it', async () => {
  await fill(3)
  const { etag } = await ask()
  await changedBy(async () => {
    await world.insight(workspace, 1, said(2))
    await world.insight(workspace, 2, said(2))
  }, etag)
  expect((await since(etag)).delta).toBe('offered')
})

test('an unchanged poll makes no query, and clients that poll for the same changes share them', async () => {
  await fill(6)
  const { etag } = await ask()
  await changedBy(() => world.insight(workspace, 2, said(1)), etag)
  const replies = [await since(etag), await since(etag)]
  expect(replies[0]?.body).toEqual(replies[1]?.body)
  const transaction = vi.spyOn(world.services.db.kysely, 'transaction')
  expect((await since(replies[0]?.etag ?? '')).status).toBe(304)
  expect((await since(etag)).delta).toBe('since')
  expect(transaction).not.toHaveBeenCalled()
  transaction.mockRestore()
})

import { INSIGHTS_DELTA, listInsights } from '@groundswell/contract/insights.ts'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { callForDelta } from '../client/index.ts'
import { listDelta } from './list-delta.ts'

type Answer = { status?: number; body?: unknown; etag?: string; delta?: string }
let answer: Answer = {}
const sent: Headers[] = []

vi.stubGlobal('localStorage', { getItem: () => 'abc', setItem: () => undefined, removeItem: () => undefined })
vi.stubGlobal('document', { cookie: '' })
vi.stubGlobal('location', { assign: () => undefined })
vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
  sent.push(new Headers(headers))
  const { status = 200, body, etag, delta } = answer
  return new Response(status === 304 ? null : JSON.stringify(body), {
    status,
    headers: { ...(etag ? { etag } : {}), ...(delta ? { [INSIGHTS_DELTA]: delta } : {}) },
  })
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => sent.splice(0))

const insight = (issue_number: number, hour: number, issue_name = `insight ${issue_number}`) => ({
  issue_number,
  issue_name,
  summary: '',
  status: 'created' as const,
  last_updated: `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`,
  evidence: [],
  categories: [],
})
const ask = (last?: Awaited<ReturnType<typeof callForDelta<typeof listInsights>>>) =>
  callForDelta(listInsights, last, listDelta)

test('the first call is a plain one; once a reply offers changes they are asked for and applied', async () => {
  answer = { body: [insight(3, 9), insight(2, 8), insight(1, 7)], etag: 'W/"1"', delta: 'offered' }
  const first = await ask()
  expect([sent[0]?.get('if-none-match'), sent[0]?.get(INSIGHTS_DELTA)]).toEqual([null, null])
  answer = {
    body: { changed: [insight(1, 10, 'renamed'), insight(4, 9)], removed: [2] },
    etag: 'W/"2"',
    delta: 'since',
  }
  const second = await ask(first)
  expect([sent[1]?.get('if-none-match'), sent[1]?.get(INSIGHTS_DELTA)]).toEqual(['W/"1"', 'wanted'])
  expect(second.reply).toEqual([insight(1, 10, 'renamed'), insight(4, 9), insight(3, 9)])
  expect(second.reply[2]).toBe(first.reply[0])
  answer = { status: 304, etag: 'W/"2"' }
  expect(await ask(second)).toBe(second)
  expect(sent[2]?.get('if-none-match')).toBe('W/"2"')
})

test('a server that has lost the revision sends the whole list', async () => {
  answer = { body: [insight(1, 7)], etag: '"1"', delta: 'offered' }
  const first = await ask()
  answer = { body: [insight(9, 7)], etag: '"5"', delta: 'offered' }
  const second = await ask(first)
  expect(second.reply).toEqual([insight(9, 7)])
})

test('a server that offers nothing never gets the header', async () => {
  answer = { body: [insight(1, 7)], etag: '"1"' }
  const first = await ask()
  expect(await ask(first)).toBe(first)
  answer = { body: [], etag: '"2"' }
  await ask(first)
  expect(sent.every((headers) => !headers.has(INSIGHTS_DELTA) && !headers.has('if-none-match'))).toBe(true)
})

test('a failure is not taken for changes', async () => {
  answer = { body: [insight(1, 7)], etag: '"1"', delta: 'offered' }
  const first = await ask()
  answer = { status: 503, body: { code: 'unavailable', message: 'Back soon' }, delta: 'since' }
  await expect(ask(first)).rejects.toMatchObject({ status: 503 })
})

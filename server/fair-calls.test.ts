import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from './auth/index.ts'
import { withoutWorkspace } from './platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from './platform/http/testing.ts'
import { inTurn, type TurnKind } from './platform/shares/turns.ts'
import { handlers, mounts } from './wiring.ts'

let test: TestApp
let ann: TestPerson
let bea: TestPerson
const keys = new Map<TestPerson, string>()

beforeAll(async () => {
  test = await testApp(
    (services) => {
      const calls = handlers(services)
      return { handlers: calls, mounts: mounts(services, calls), authenticate: authenticate(services) }
    },
    {
      authRateLimits: null,
      callsAtOnce: { exports: 4, workspace_exports: 4, reports: 2, searches: 2, agent_calls: 2 },
    },
  )
  ;[ann, bea] = [await test.person('ann'), await test.person('bea')]
  for (const person of [ann, bea]) {
    const payload = { name: 'agent', scopes: ['read'], expires_in_days: 30 }
    keys.set(person, (await test.call('POST', '/api/keys', { as: person, payload })).json().token)
  }
  test.time.stoppedAt = Date.now()
})
afterAll(() => test.cleanup())

/** How many calls run and wait. */
async function counted() {
  const { rows } = await withoutWorkspace(test.services.db, (tx) =>
    sql<{ runs: number; waits: number }>`
      select count(*) filter (where runs)::int as runs, count(*) filter (where not runs)::int as waits from call_turn`.execute(
      tx,
    ),
  )
  return rows[0]
}

/** Takes as many turns as the person gets, until the result is called. */
async function taken(kind: TurnKind, { workspaceId, accountId }: TestPerson, count: number) {
  const ended = Promise.withResolvers<void>()
  const running = Array.from({ length: count }, () =>
    inTurn(test.services, kind, { workspaceId, accountId }, new AbortController().signal, () => ended.promise),
  )
  await expect.poll(counted).toEqual({ runs: count, waits: 0 })
  return async () => {
    ended.resolve()
    await Promise.all(running)
  }
}

const DAYS = 'from=2026-01-01&to=2026-01-31'
const person = (method: 'GET' | 'POST', url: string, payload?: object) => (as: TestPerson) =>
  test.call(method, url, { as, ...(payload ? { payload } : {}) })

/** The calls that take turns, with how many of them one person may make at once here. */
const kinds: [what: string, kind: TurnKind, most: number, make: (as: TestPerson) => ReturnType<TestApp['call']>][] = [
  ['an export of insights', 'exports', 1, person('POST', '/api/insights/export', { format: 'csv' })],
  ['an export of the own data', 'exports', 1, person('GET', '/api/account/export')],
  ['an export of the workspace', 'workspace_exports', 1, person('POST', '/api/workspace/export')],
  ['a report', 'reports', 2, person('GET', `/api/insights/report?${DAYS}`)],
  ['a search by meaning', 'searches', 2, person('GET', '/api/feedback/search?words=exports&by=meaning')],
  ['a question', 'searches', 2, person('POST', '/api/feedback/ask', { question: 'What fails in exports?' })],
]

describe.each(kinds)('%s', (_what, kind, most, make) => {
  it('of the same person waits and is then refused; another person’s is answered; later all are', async () => {
    const end = await taken(kind, ann, most)
    const own = make(ann)
    await expect.poll(async () => (await counted())?.waits).toBe(1)
    test.time.passMs += 10_001
    const refused = await own
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      { code: 'too_many_requests', message: expect.stringMatching(/^Other .* running|^Other .* counted/) },
    ])
    expect(refused.headers['retry-after']).toBe('5')
    const others = make(bea)
    // Where half is left to others, it is answered at once.
    if (kind === 'reports' || kind === 'searches') await end()
    expect((await others).statusCode).toBe(200)
    await end()
    expect((await make(ann)).statusCode).toBe(200)
    await expect.poll(counted).toEqual({ runs: 0, waits: 0 })
  })
})

it('an agent is told to try again, and other agents go on', async () => {
  const tool = (as: TestPerson) =>
    test.call('POST', '/api/mcp', {
      as: keys.get(as) ?? '',
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_insights', arguments: {} } },
    })
  const end = await taken('agent_calls', ann, 2)
  const own = tool(ann)
  await expect.poll(async () => (await counted())?.waits).toBe(1)
  test.time.passMs += 10_001
  expect((await own).json().result).toMatchObject({
    isError: true,
    content: [{ text: 'too_many_requests: Other calls of agents are running: try again in a few seconds' }],
  })
  const others = tool(bea)
  await expect.poll(async () => (await counted())?.waits).toBe(1)
  await end()
  expect((await others).json().result).toMatchObject({ structuredContent: { insights: [] } })
  expect((await tool(ann)).json().result).toMatchObject({ structuredContent: { insights: [] } })
})

it('a search by words takes no turn', async () => {
  const end = await taken('searches', ann, 2)
  expect((await test.call('GET', '/api/feedback/search?words=exports', { as: ann })).statusCode).toBe(200)
  await end()
})

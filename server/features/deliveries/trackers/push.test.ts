import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { sweepDeliveries } from '../jobs.ts'
import { deliver } from '../send.ts'
import { eachInWorkspace, workspace, world } from '../testing.ts'
import { answerCreated, killAfter, reconnect, tracker, withTracker } from './testing.ts'

vi.mock('@groundswell/connectors/index.ts', async (load) => {
  const { withTestTrackers } = await import('./testing.ts')
  return withTestTrackers(await load())
})

eachInWorkspace(withTracker())

const last = async () => (await world.deliveries(workspace)).at(-1) as Record<string, unknown>
const statusOf = async (issue: number) => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ status: string }>`select status from insight where issue_number = ${issue}`.execute(tx),
  )
  return rows[0]?.status
}
const markers = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ marker: string }>`select marker from remote_item order by created_at`.execute(tx),
  )
  return rows.map(({ marker }) => marker)
}
const sweepAndWork = () => world.sweepAndWork(workspace)
const requestsTo = (method: string, path: RegExp) =>
  tracker.requests().filter((request) => request.method === method && path.test(request.path)).length
const created = () => requestsTo('POST', /^\/items$/)

test('tells a tracker the companies behind an insight, each once, as their sources name them', async () => {
  await world.say(workspace, 1, 4)
  const attributes = ['{"organisation": "Acme"}', '{"company": " Acme "}', '{"company": "Globex"}', '{"plan": "Pro"}']
  await world.inside(workspace, (tx) =>
    sql`update feedback_item set attributes = (${attributes}::jsonb[])[1 + id % 4]`.execute(tx),
  )
  await world.work(workspace)
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ payload: string }>`select payload from delivery where payload is not null`.execute(tx),
  )
  expect(rows.map(({ payload }) => JSON.parse(payload).companies.toSorted())).toEqual([['Acme', 'Globex']])
})

test('an insight becomes one item with its quotes, and what is said later updates that item and its one comment', async () => {
  await world.say(workspace, 1, 3)
  expect(await world.work(workspace)).toEqual([])
  const [item] = tracker.items()
  expect(item?.text).toContain('issue 1')
  expect(item?.text).toContain('It fails again 🤯')
  expect(item?.text).toContain('https://feedback.example/insights?issue=1')
  expect(item?.text).toContain((await markers())[0])
  expect(await last()).toMatchObject({
    event: 'insight.created',
    state: 'delivered',
    last_status: 201,
    remote_url: 'https://tracker.example.com/items/1',
    remote: { label: '#1', url: 'https://tracker.example.com/items/1', state: 'open', state_name: null },
  })
  expect(await statusOf(1)).toBe('pushed')
  for (let round = 1; round <= 5; round += 1) {
    world.later(61)
    await world.say(workspace, 1, 1)
    expect(await sweepAndWork()).toEqual([])
  }
  expect(tracker.items()).toHaveLength(1)
  expect(tracker.items()[0]?.comments).toEqual([expect.stringContaining('8 mentions')])
  expect(created()).toBe(1)
})

test.each(['javascript:alert(1)', '//evil.example/1', 'https://a@evil.example/1'])(
  'an item whose tracker says that it is at %s is kept without an address',
  async (url) => {
    answerCreated({ url })
    try {
      await world.say(workspace, 1, 3)
      expect(await world.work(workspace)).toEqual([])
    } finally {
      answerCreated({})
    }
    expect(await last()).toMatchObject({ state: 'delivered', remote_url: null, remote: { label: '#1', url: null } })
  },
)

test.each([
  ['ENG-\u202e21\n', 'ENG-21'],
  ['\u0007', expect.stringMatching(/^[0-9a-f-]{36}$/) as string],
])('an item is called what its tracker calls it (%j), without control characters', async (label, shown) => {
  answerCreated({ label, statusName: 'To\n\u0007do' })
  try {
    await world.say(workspace, 1, 3)
    expect(await world.work(workspace)).toEqual([])
  } finally {
    answerCreated({})
  }
  expect(await last()).toMatchObject({ state: 'delivered', remote: { label: shown, state_name: 'To do' } })
})

test('the whole reply is read, and the ledger keeps 2 KiB of it without the token', async () => {
  await world.say(workspace, 1, 3)
  await killAfter(world, workspace, 'create')
  world.later(2)
  expect(await world.work(workspace)).toEqual([])
  // The list of items that `find` reads is longer than 4 KiB.
  const attempts = await world.attempts(workspace, (await last()).id)
  const answer = String(attempts.at(-1)?.answer)
  expect(answer.length).toBe(2048)
  expect(answer).not.toContain(String(tracker.secrets['token']))
  expect(await last()).toMatchObject({ state: 'delivered', remote: { label: '#1' } })
})

test('ten kills between the tracker’s answer and its record leave exactly one item', async () => {
  await world.say(workspace, 1, 3)
  await killAfter(world, workspace, 'create')
  for (let kill = 2; kill <= 10; kill += 1) {
    world.later(2)
    await killAfter(world, workspace, 'find')
  }
  expect(await last()).toMatchObject({ state: 'sending', attempts: 10 })
  world.later(2)
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()).toHaveLength(1)
  expect(created()).toBe(1)
  expect(await last()).toMatchObject({ state: 'delivered', attempts: 11, remote: { label: '#1' } })
})

test.each(['reset', 'malformed', 'silence'] as const)(
  'an answer that is lost (%s) leaves exactly one item',
  async (fault) => {
    await world.say(workspace, 1, 3)
    tracker.fault(fault)
    const { id, attempts } = await last()
    const stop = new AbortController()
    const attempt = deliver(
      world.services,
      { workspaceId: workspace, deliveryId: String(id), attempts: Number(attempts) },
      stop.signal,
    )
    await expect.poll(() => tracker.items()).toHaveLength(1)
    if (fault === 'silence') stop.abort()
    await attempt
    expect(await last()).toMatchObject({ state: 'waiting', waits_for: 'retry', attempts: 1 })
    world.later(2)
    expect(await world.work(workspace)).toEqual([])
    expect(tracker.items()).toHaveLength(1)
    expect(created()).toBe(1)
    expect(await last()).toMatchObject({ state: 'delivered', attempts: 2 })
  },
)

test('while search may lag, the delivery waits instead of creating, and the wait is not an attempt', async () => {
  await world.say(workspace, 1, 3)
  tracker.lagSearch(true)
  tracker.fault('reset')
  const began = world.now.getTime()
  await world.work(workspace)
  for (let second = 10; second < 60; second += 10) {
    world.now = new Date(began + second * 1000)
    expect(await world.work(workspace)).toEqual([])
    expect(await last()).toMatchObject({ state: 'waiting', waits_for: 'confirming', attempts: 1 })
  }
  expect(await last()).toMatchObject({ next_attempt_at: new Date(began + 60_000).toISOString() })
  tracker.lagSearch(false)
  world.now = new Date(began + 60_000)
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()).toHaveLength(1)
  expect(created()).toBe(1)
  expect(await world.attempts(workspace, (await last()).id)).toHaveLength(2)
})

test('a creation that failed is repeated once search can be trusted to show that it did', async () => {
  await world.say(workspace, 1, 3)
  tracker.fault('500')
  const began = world.now.getTime()
  await world.work(workspace)
  const [marker] = await markers()
  world.now = new Date(began + 10_000)
  await world.work(workspace)
  expect(created()).toBe(1)
  expect(tracker.items()).toEqual([])
  world.now = new Date(began + 61_000)
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()).toMatchObject([{ text: expect.stringContaining(marker ?? '-') }])
  expect(await last()).toMatchObject({ state: 'delivered', attempts: 2 })
})

test('eight workers and a replay at the same moment leave exactly one item', async () => {
  await world.say(workspace, 1, 3)
  const { id } = await last()
  const data = { workspaceId: workspace, deliveryId: String(id), attempts: 0 }
  const { signal } = new AbortController()
  await Promise.all(Array.from({ length: 8 }, () => deliver(world.services, data, signal)))
  expect(tracker.items()).toHaveLength(1)
  await world.call(workspace, 'POST', `/api/deliveries/${String(id)}/replay`, {})
  await Promise.all(Array.from({ length: 8 }, () => deliver(world.services, data, signal)))
  expect(tracker.items()).toHaveLength(1)
  expect(tracker.items()[0]?.comments.length).toBeLessThanOrEqual(1)
})

test('two deliveries never work on one item at the same time', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const first = await last()
  world.later(61)
  await world.say(workspace, 1, 1)
  await sweepDeliveries(world.services)
  await killAfter(world, workspace, 'update')
  await world.call(workspace, 'POST', `/api/deliveries/${String(first.id)}/replay`, {})
  const before = tracker.requests().length
  const data = { workspaceId: workspace, deliveryId: String(first.id), attempts: 1 }
  await deliver(world.services, data, new AbortController().signal)
  expect(tracker.requests()).toHaveLength(before)
  expect((await world.deliveries(workspace))[0]).toMatchObject({
    state: 'delivered',
    again: 'waiting',
    waits_for: 'confirming',
  })
})

test('what an update left out is on its delivery, which is delivered', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  expect(await last()).toMatchObject({ state: 'delivered', notice: null })
  tracker.allowComments(false)
  world.later(61)
  await world.say(workspace, 1, 1)
  expect(await sweepAndWork()).toEqual([])
  expect(await last()).toMatchObject({
    event: 'insight.updated',
    state: 'delivered',
    last_error: null,
    notice: expect.stringMatching(/^The item is up to date, but without its comment\. ./),
  })
  expect(tracker.items()[0]).toMatchObject({ text: expect.stringContaining('4 mentions'), comments: [] })
  tracker.allowComments(true)
  await world.call(workspace, 'POST', `/api/deliveries/${String((await last()).id)}/replay`, {})
  expect(await world.work(workspace)).toEqual([])
  expect(await last()).toMatchObject({ state: 'delivered', notice: null })
})

test('a replay of an older event does not take the item back to an older state', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const first = await last()
  world.later(61)
  await world.say(workspace, 1, 4)
  await sweepAndWork()
  const text = tracker.items()[0]?.text
  expect(text).toContain('7 mentions')
  await world.call(workspace, 'POST', `/api/deliveries/${String(first.id)}/replay`, {})
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()[0]?.text).toBe(text)
  const attempts = await world.attempts(workspace, first.id)
  expect(attempts.at(-1)).toMatchObject({ error: null, answer: expect.stringContaining('newer state') })
})

test('an item that was deleted there is reported, and only a person’s push creates another one', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const [item] = tracker.items()
  tracker.delete(item?.id ?? '')
  world.later(61)
  await world.say(workspace, 1, 1)
  expect(await sweepAndWork()).toEqual([])
  expect(await last()).toMatchObject({
    state: 'failed',
    last_error: expect.stringMatching(/no longer exists/),
  })
  expect((await world.deliveries(workspace))[0]).toMatchObject({ remote: { label: '#1', state: 'gone' } })
  expect(await statusOf(1)).toBe('created')
  world.later(61)
  await world.say(workspace, 1, 5)
  expect(await sweepAndWork()).toEqual([])
  expect(created()).toBe(1)
  const { rows } = await world.inside(workspace, (tx) =>
    sql`select detail from insight_event where event = 'item_gone'`.execute(tx),
  )
  expect(rows).toEqual([{ detail: { tag: 'tracker', to: '#1' } }])
  expect((await world.call(workspace, 'POST', '/api/insights/1/push', {})).status).toBe(200)
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()).toHaveLength(1)
  expect(await last()).toMatchObject({ state: 'delivered', remote: { label: '#2', state: 'open' } })
  expect(new Set(await markers()).size).toBe(2)
  expect(await statusOf(1)).toBe('pushed')
})

test('what waits for a lost sign-in is sent after connecting again, to the same item', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  tracker.fault('revoked')
  world.later(61)
  await world.say(workspace, 1, 1)
  await world.say(workspace, 2, 3)
  await sweepAndWork()
  await world.say(workspace, 3, 3)
  await sweepAndWork()
  const waiting = (await world.deliveries(workspace)).filter(({ state }) => state === 'waiting')
  expect(waiting).toHaveLength(3)
  for (const one of waiting) expect(one).toMatchObject({ waits_for: 'signed-out' })
  world.later(3 * 24 * 60)
  await sweepAndWork()
  tracker.restore()
  await reconnect(world, workspace, tracker)
  await sweepAndWork()
  expect((await world.deliveries(workspace)).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
  expect(tracker.items()).toHaveLength(3)
})

test('a rate limit of an hour drops nothing', async () => {
  tracker.limit(3600)
  for (const issue of [1, 2, 3]) await world.say(workspace, issue, 3)
  await world.work(workspace)
  for (const one of await world.deliveries(workspace)) {
    expect(one).toMatchObject({ state: 'waiting', waits_for: 'retry-after' })
    expect(Date.parse(String(one.next_attempt_at)) - world.now.getTime()).toBeGreaterThanOrEqual(3600_000)
  }
  const before = tracker.requests().length
  world.later(59)
  await sweepAndWork()
  expect(tracker.requests()).toHaveLength(before)
  tracker.limit(null)
  world.later(2)
  await sweepAndWork()
  expect(tracker.items()).toHaveLength(3)
  expect((await world.deliveries(workspace)).map(({ state }) => state)).toEqual(Array(3).fill('delivered'))
})

test('Test verifies the tracker and leaves nothing there, and the tile shows the items', async () => {
  const test = await world.call(workspace, 'POST', '/api/tracker/test')
  expect(test).toMatchObject({ status: 200, body: { answer: 'The token may write items in support' } })
  expect(tracker.items()).toEqual([])
  const tile = async () => {
    const { body } = await world.call(workspace, 'GET', '/api/connectors')
    const tiles = body.connectors as { manifest: { id: string; tracks: boolean }; connection: unknown }[]
    return tiles.find(({ manifest }) => manifest.id === 'tracker')
  }
  expect(await tile()).toMatchObject({
    manifest: { tracks: true },
    connection: {
      items: null,
      reopen_items: false,
      last_test: { ok: true, message: 'The token may write items in support' },
    },
  })
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  expect(await tile()).toMatchObject({
    connection: { items: { open: 1, closed: 0, gone: 0, latest: { label: '#1', state: 'open' } } },
  })
})

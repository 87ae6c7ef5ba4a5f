import { MAX_STATUS_IDS } from '@groundswell/connectors/tracker.ts'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { Tx } from '../../../platform/db/tenant.ts'
import { eachInWorkspace, workspace, world } from '../testing.ts'
import { applyStatuses } from './remote-status.ts'
import { sweepItems } from './sweep-items.ts'
import { connectTracker, reconnect, tracker, withTracker } from './testing.ts'

vi.mock('@groundswell/connectors/index.ts', async (load) => {
  const { withTestTrackers } = await import('./testing.ts')
  return withTestTrackers(await load())
})

eachInWorkspace(
  withTracker(async () => {
    await world.say(workspace, 1, 3)
    await world.work(workspace)
  }),
)
afterEach(async () => {
  await world.call(workspace, 'POST', '/api/tracker/disconnect', {})
})

const insight = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ status: string; revision: string }>`select status, revision from insight where issue_number = 1`.execute(tx),
  )
  return rows[0]
}
const status = async () => (await insight())?.status
const history = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ event: string; to: string }>`
      select event, detail->>'to' as to from insight_event where event in ('status', 'item_gone') order by at, event`.execute(
      tx,
    ),
  )
  return rows.map(({ event, to }) => (event === 'status' ? to : event))
}
const itemId = (of = tracker) => of.items().at(-1)?.id ?? ''
const sweepAfter = async (minutes: number) => {
  world.later(minutes)
  await sweepItems(world.services)
}
const update = async () => {
  world.later(61)
  await world.say(workspace, 1, 1)
  return world.sweepAndWork(workspace)
}
const remote = async () => (await world.deliveries(workspace)).at(-1)?.remote

/** Transactions of this database that wait for a row that another one has locked. */
const countWaiting = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(tx),
  )
  return rows[0]?.count ?? 0
}

test('closed there is resolved here, reopened there is pushed here', async () => {
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('resolved')
  expect(await remote()).toMatchObject({ state: 'closed', state_name: 'Done' })
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('pushed')
  expect(await remote()).toMatchObject({ state: 'open', state_name: null })
  expect(await history()).toEqual(['pushed', 'resolved', 'pushed'])
})

const team = async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ team: string | null }>`select team_status as team from insight where issue_number = 1`.execute(tx),
  )
  return rows[0]?.team
}
const person = (team_status: string | null) =>
  world.inside(workspace, (tx) =>
    sql`update insight set team_status = ${team_status}::text, team_status_by = 'Ann' where issue_number = 1`.execute(
      tx,
    ),
  )

test('closed there as done is shipped, and reopened there not any more', async () => {
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await team()).toBe('shipped')
  const { rows } = await world.inside(workspace, (tx) =>
    sql`select detail from insight_event where event = 'team_status'`.execute(tx),
  )
  expect(rows).toEqual([{ detail: { to: 'shipped', tag: 'tracker' } }])
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect(await team()).toBeNull()
  tracker.close(itemId())
  await sweepAfter(11)
  tracker.delete(itemId())
  await sweepAfter(11)
  expect(await team()).toBeNull()
})

test.each(['planned', null])('a person’s choice of %s stays, whatever happens in the tracker', async (chosen) => {
  await person(chosen)
  tracker.close(itemId())
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['resolved', chosen])
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['pushed', chosen])
})

test('what a person set after it was closed stays when it is reopened', async () => {
  tracker.close(itemId())
  await sweepAfter(11)
  await person('shipped')
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect(await team()).toBe('shipped')
})

test('an item that was closed without being done ships nothing', async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ connection: string }>`select connection_id as connection from remote_item where issue_number = 1`.execute(tx),
  )
  await world.inside(workspace, (tx) =>
    applyStatuses(world.services)(tx, { workspaceId: workspace, connectionId: rows[0]?.connection ?? '' }, [
      { id: itemId(), state: 'closed', name: null, declined: true },
    ]),
  )
  expect([await status(), await team()]).toEqual(['resolved', null])
})

test('the state of an item is named without control characters', async () => {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ connection: string }>`select connection_id as connection from remote_item where issue_number = 1`.execute(tx),
  )
  for (const [name, shown] of [
    ["Won't\n\u202e do", "Won't  do"],
    ['\u0007', null],
  ] as const) {
    await world.inside(workspace, (tx) =>
      applyStatuses(world.services)(tx, { workspaceId: workspace, connectionId: rows[0]?.connection ?? '' }, [
        { id: itemId(), state: 'closed', name, declined: true },
      ]),
    )
    expect(await remote()).toMatchObject({ state: 'closed', state_name: shown })
  }
})

test('the reason of a closed item is shown, and decides again when it changes', async () => {
  tracker.decline(itemId())
  await sweepAfter(11)
  expect(await remote()).toMatchObject({ state: 'closed', state_name: 'Declined', declined: true })
  expect([await status(), await team()]).toEqual(['resolved', null])
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await remote()).toMatchObject({ state: 'closed', state_name: 'Done', declined: false })
  expect([await status(), await team()]).toEqual(['resolved', 'shipped'])
  tracker.decline(itemId())
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['resolved', null])
  await person('planned')
  tracker.close(itemId())
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['resolved', 'planned'])
})

test('an update of a declined item ships nothing, and does not resolve what was mentioned again', async () => {
  tracker.decline(itemId())
  await sweepAfter(11)
  expect(await update()).toEqual([])
  expect([await status(), await team()]).toEqual(['regressed', null])
  tracker.close(itemId())
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['regressed', 'shipped'])
})

test.each([
  ['declined first', true],
  ['done first', false],
])('of two items, one done and one declined, the insight is shipped: %s', async (_, isDeclinedFirst) => {
  await using second = await connectTracker(world, workspace, 'second-tracker')
  await world.call(workspace, 'POST', '/api/insights/1/push', { destinations: ['second-tracker'] })
  await world.work(workspace)
  const steps = [() => tracker.decline(itemId()), () => second.close(itemId(second))]
  for (const step of isDeclinedFirst ? steps : steps.toReversed()) {
    step()
    await sweepAfter(11)
  }
  expect([await status(), await team()]).toEqual(['resolved', 'shipped'])
  second.delete(itemId(second))
  await sweepAfter(11)
  expect([await status(), await team()]).toEqual(['resolved', null])
})

test('each item is asked about at most every ten minutes, 50 in one request', async () => {
  // The ledger's first page holds the newest 50 deliveries.
  world.later(1)
  for (let issue = 2; issue <= MAX_STATUS_IDS + 1; issue += 1) await world.say(workspace, issue, 3)
  await world.work(workspace)
  expect(tracker.items()).toHaveLength(MAX_STATUS_IDS + 1)
  world.later(11)
  const before = tracker.requests().length
  await Promise.all([sweepItems(world.services), sweepItems(world.services)])
  expect(tracker.requests().length - before).toBe(2)
  world.later(9)
  await sweepItems(world.services)
  expect(tracker.requests().length - before).toBe(2)
  await sweepAfter(2)
  expect(tracker.requests().length - before).toBe(4)
})

test('a rate limit postpones every item of the connection, and a lost sign-in ends the asking', async () => {
  tracker.limit(3600)
  const before = tracker.requests().length
  await sweepAfter(11)
  await sweepAfter(11)
  await sweepAfter(11)
  expect(tracker.requests().length - before).toBe(1)
  tracker.limit(null)
  await sweepAfter(40)
  expect(tracker.requests().length - before).toBe(2)
  tracker.fault('revoked')
  await sweepAfter(11)
  await sweepAfter(11)
  expect(tracker.requests().length - before).toBe(3)
  const { body } = await world.call(workspace, 'GET', '/api/connectors')
  const tiles = body.connectors as { manifest: { id: string }; connection: unknown }[]
  expect(tiles.find(({ manifest }) => manifest.id === 'tracker')).toMatchObject({ connection: { status: 'na' } })
  tracker.restore()
  await reconnect(world, workspace, tracker)
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('resolved')
})

test('a new mention of a resolved insight regresses it and comments the closed item', async () => {
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await update()).toEqual([])
  expect(await status()).toBe('regressed')
  expect(tracker.items()).toMatchObject([{ open: false, comments: [expect.stringContaining('4 mentions')] }])
  await sweepAfter(11)
  expect(await status()).toBe('regressed')
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('pushed')
})

test('where the owner chose so, a new mention reopens the item', async () => {
  const { body } = await world.call(workspace, 'PATCH', '/api/tracker/connection', { reopen_items: true })
  expect(body).toMatchObject({ reopen_items: true })
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await update()).toEqual([])
  expect(tracker.items()).toMatchObject([{ open: true }])
  expect(await status()).toBe('pushed')
  expect(await history()).toEqual(['pushed', 'resolved', 'regressed', 'pushed'])
})

test('an item that is gone is reported, and the insight is offered again', async () => {
  tracker.delete(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('created')
  expect(await history()).toEqual(['pushed', 'item_gone', 'created'])
  expect(await remote()).toMatchObject({ label: '#1', state: 'gone' })
  expect(await update()).toEqual([])
  expect(tracker.items()).toEqual([])
  await world.call(workspace, 'POST', '/api/insights/1/push', {})
  expect(await world.work(workspace)).toEqual([])
  expect(tracker.items()).toHaveLength(1)
})

test('with several trackers an insight is resolved when every item that is still there is closed', async () => {
  await using second = await connectTracker(world, workspace, 'second-tracker')
  await world.call(workspace, 'POST', '/api/insights/1/push', { destinations: ['second-tracker'] })
  await world.work(workspace)
  expect(second.items()).toHaveLength(1)
  tracker.close(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('pushed')
  second.close(itemId(second))
  await sweepAfter(11)
  expect(await status()).toBe('resolved')
  tracker.reopen(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('pushed')
  tracker.delete(itemId())
  await sweepAfter(11)
  expect(await status()).toBe('resolved')
  second.delete(itemId(second))
  await sweepAfter(11)
  expect(await status()).toBe('created')
})

test('items that are closed at the same time in several trackers resolve their insight', async () => {
  await using second = await connectTracker(world, workspace, 'second-tracker')
  await world.call(workspace, 'POST', '/api/insights/1/push', { destinations: ['second-tracker'] })
  await world.work(workspace)
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ connection: string; id: string }>`
      select connection_id as connection, remote_id as id from remote_item where issue_number = 1`.execute(tx),
  )
  expect(rows.map(({ id }) => id).toSorted()).toEqual([itemId(), itemId(second)].toSorted())
  const close = (tx: Tx, { connection, id }: { connection: string; id: string }) =>
    applyStatuses(world.services)(tx, { workspaceId: workspace, connectionId: connection }, [
      { id, state: 'closed', name: null },
    ])
  const [one, other] = rows
  if (!one || !other) throw new Error('two items were expected')
  const applied = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const first = world.inside(workspace, async (tx) => {
    await close(tx, one)
    applied.resolve()
    await commit.promise
  })
  await applied.promise
  let ended = false
  const later = world
    .inside(workspace, (tx) => close(tx, other))
    .finally(() => {
      ended = true
    })
  await vi.waitUntil(async () => ended || (await countWaiting()) > 0, { timeout: 300_000 })
  commit.resolve()
  await Promise.all([first, later])
  expect(await status()).toBe('resolved')
})

test('the events of our own updates, and of items that are not ours, change nothing', async () => {
  await update()
  const before = await insight()
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ id: string }>`select connection_id as id from remote_item`.execute(tx),
  )
  const connection = { workspaceId: workspace, connectionId: rows[0]?.id ?? '' }
  const apply = (id: string, state: 'open' | 'closed' | 'gone') =>
    world.inside(workspace, (tx) => applyStatuses(world.services)(tx, connection, [{ id, state, name: null }]))
  await apply(itemId(), 'open')
  await apply('somebody-else', 'closed')
  await apply('somebody-else', 'gone')
  expect(await insight()).toEqual(before)
  await apply(itemId(), 'closed')
  const closed = await insight()
  expect(closed?.status).toBe('resolved')
  await apply(itemId(), 'closed')
  expect(await insight()).toEqual(closed)
})

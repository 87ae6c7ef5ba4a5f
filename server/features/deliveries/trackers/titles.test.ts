import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { sweepDeliveries } from '../jobs.ts'
import { eachInWorkspace, workspace, world } from '../testing.ts'
import { killAfter, tracker, withTracker } from './testing.ts'

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

const inside = <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  world.inside(workspace, async (tx) => (await query.execute(tx)).rows)

/** Names the insight, and sends what follows from that an hour later. */
async function rename(name: string, send: () => Promise<unknown> = () => world.work(workspace)): Promise<void> {
  await inside(sql`update insight set name = ${name}`)
  await inside(sql`update workspace set revision = revision + 1`)
  world.later(61)
  await sweepDeliveries(world.services)
  await send()
}

const title = () => tracker.items()[0]?.text.split('\n')[0]
const deliveries = async () => (await world.deliveries(workspace)).length
const renamings = async () =>
  (
    await inside(sql<{ detail: object }>`select detail from insight_event where event = 'item_renamed' order by at, id`)
  ).map(({ detail }) => detail)

test('the title of an item follows the name of the insight, without new mentions, and the history says so', async () => {
  expect(title()).toBe('issue 1')
  await rename('Shortcuts cannot be changed')
  expect(title()).toBe('Shortcuts cannot be changed')
  expect(await renamings()).toEqual([{ tag: 'tracker', from: 'issue 1', to: 'Shortcuts cannot be changed' }])
  const before = await deliveries()
  world.later(61)
  await world.sweepAndWork(workspace)
  expect(await deliveries()).toBe(before)
})

test('a title that somebody wrote there stays, and no further update is sent for it', async () => {
  tracker.retitle(String(tracker.items()[0]?.id), 'Key bindings')
  await rename('Shortcuts cannot be changed')
  expect(title()).toBe('Key bindings')
  expect(await renamings()).toEqual([])
  const before = await deliveries()
  world.later(61)
  await world.sweepAndWork(workspace)
  expect(await deliveries()).toBe(before)
})

test('a title whose reply was lost is not taken for one that somebody wrote there', async () => {
  await rename('Second name', () => killAfter(world, workspace, 'update'))
  expect(title()).toBe('Second name')
  world.later(61)
  // The attempt is over, and its delivery is not repeated.
  await inside(sql`update delivery set state = 'failed', lease_until = null where state = 'sending'`)
  await rename('Third name')
  expect(title()).toBe('Third name')
})

test('an item that was created before titles were noted keeps its title', async () => {
  await inside(sql`update remote_item set titles = '{}', title = null`)
  await rename('Shortcuts cannot be changed')
  expect(title()).toBe('issue 1')
  await world.say(workspace, 1, 1)
  await rename('Another name')
  expect(title()).toBe('issue 1')
})

test('a closed item gets no update for a name alone', async () => {
  tracker.close(String(tracker.items()[0]?.id))
  await inside(sql`update remote_item set state = 'closed'`)
  const before = await deliveries()
  await rename('Shortcuts cannot be changed')
  expect(await deliveries()).toBe(before)
})

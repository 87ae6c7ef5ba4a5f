import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { considerPush } from '../ask.ts'
import { sweepDeliveries } from '../jobs.ts'
import { ascending, eachWithReceiver, receiver, workspace, world } from '../testing.ts'

eachWithReceiver()

const offers = async () => (await world.call(workspace, 'GET', '/api/deliveries/held')).body.held
const answer = (body: object) => world.call(workspace, 'POST', '/api/deliveries/held', body)
const settings = (more: object) =>
  world.call(workspace, 'POST', '/api/user/update-settings', { method: 'auto', min_inputs: 3, categories: [], ...more })
const switchTo = (push_automatically: boolean) =>
  world.call(workspace, 'PATCH', '/api/webhook/connection', { push_automatically })
const issuesReceived = () => ascending(receiver.received.map(({ payload }) => payload.data.insight.issue_number))
const sweepAndWork = () => world.sweepAndWork(workspace)

test('connecting sends nothing: what already qualifies is held and offered, what qualifies later is pushed', async () => {
  await world.say(workspace, 1, 5)
  await world.say(workspace, 2, 2)
  await world.connect(workspace, receiver.url)
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await offers()).toEqual([{ destination: 'webhook', count: 1 }])
  expect(await world.deliveries(workspace)).toMatchObject([
    { issue_number: 1, state: 'waiting', waits_for: 'held', next_attempt_at: null, attempts: 0 },
  ])
  await world.say(workspace, 2, 1)
  await world.say(workspace, 3, 3)
  await sweepAndWork()
  expect(issuesReceived()).toEqual([2, 3])
})

test('none is what an answer without a choice means: everything stays held and is not offered again', async () => {
  await world.say(workspace, 1, 5)
  await world.connect(workspace, receiver.url)
  expect(await answer({})).toEqual({ status: 200, body: { pushed: 0, left: 1 } })
  expect(await offers()).toEqual([])
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await world.deliveries(workspace)).toMatchObject([{ waits_for: 'held' }])
})

test('the 10 largest go, largest by mentions, and the others stay held', async () => {
  for (let issue = 1; issue <= 12; issue += 1) await world.say(workspace, issue, 2 + issue)
  await world.connect(workspace, receiver.url)
  expect(await answer({ push: 'largest', destination: 'webhook' })).toEqual({
    status: 200,
    body: { pushed: 10, left: 2 },
  })
  await sweepAndWork()
  expect(issuesReceived()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(await offers()).toEqual([])
})

test('all of them are pushed once, even when two people choose at the same time', async () => {
  for (let issue = 1; issue <= 5; issue += 1) await world.say(workspace, issue, 3)
  await world.connect(workspace, receiver.url)
  const answers = await Promise.all([answer({ push: 'all' }), answer({ push: 'all' }), answer({ push: 'largest' })])
  expect(ascending(answers.map(({ body }) => body.pushed))).toEqual([0, 0, 5])
  await sweepAndWork()
  expect(issuesReceived()).toEqual([1, 2, 3, 4, 5])
})

test('a choice for a destination that is not connected, or one that there is not, is refused', async () => {
  expect(await answer({ push: 'all' })).toMatchObject({ status: 422, body: { code: 'not_configured' } })
  await world.connect(workspace, receiver.url)
  expect(await answer({ push: 'all', destination: 'linear' })).toMatchObject({ body: { code: 'not_configured' } })
  expect(await answer({ push: 'most' })).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

test('a lowered threshold holds what qualifies by it; raised again, what is held and below it is let go', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 2)
  await world.say(workspace, 2, 3)
  expect((await settings({ min_inputs: 2 })).status).toBe(200)
  await sweepAndWork()
  expect(issuesReceived()).toEqual([2])
  expect(await offers()).toEqual([{ destination: 'webhook', count: 1 }])
  await settings({ min_inputs: 3 })
  expect(await offers()).toEqual([])
  await world.say(workspace, 1, 1)
  await sweepAndWork()
  expect(issuesReceived()).toEqual([1, 2])
})

test('counting mentions instead of people lowers the threshold too', async () => {
  await world.connect(workspace, receiver.url)
  await settings({ count_people: true })
  await world.say(workspace, 1, 9)
  await settings({ count_people: false })
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await offers()).toEqual([{ destination: 'webhook', count: 1 }])
})

test('a destination that is switched on again holds what qualified meanwhile, and offers what was declined once more', async () => {
  await world.say(workspace, 1, 3)
  await world.connect(workspace, receiver.url)
  await answer({ push: 'none' })
  await switchTo(false)
  await world.say(workspace, 2, 3)
  await sweepAndWork()
  expect(await world.deliveries(workspace)).toHaveLength(1)
  await switchTo(true)
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await offers()).toEqual([{ destination: 'webhook', count: 2 }])
})

test('a held insight that grows stays held until a person pushes it', async () => {
  await world.say(workspace, 1, 3)
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 40)
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await world.call(workspace, 'POST', '/api/insights/1/push', {})).toMatchObject({ status: 200 })
  await world.work(workspace)
  expect(receiver.received.map(({ payload }) => payload.data.insight.mention_count)).toEqual([43])
  await world.say(workspace, 1, 1)
  world.later(61)
  await sweepAndWork()
  expect(receiver.received).toHaveLength(2)
  expect(await offers()).toEqual([])
})

test('what is held for a destination is removed when it is disconnected, and held again for the next one', async () => {
  await world.say(workspace, 1, 3)
  await world.connect(workspace, receiver.url)
  await world.call(workspace, 'POST', '/api/webhook/disconnect', {})
  await sweepDeliveries(world.services)
  expect(await world.deliveries(workspace)).toEqual([])
  await world.connect(workspace, receiver.url)
  await sweepAndWork()
  expect(receiver.received).toEqual([])
  expect(await offers()).toEqual([{ destination: 'webhook', count: 1 }])
})

test('another workspace neither sees held insights nor chooses among them', async () => {
  await world.say(workspace, 1, 3)
  await world.connect(workspace, receiver.url)
  const other = await world.workspace()
  await world.connect(other, receiver.url)
  expect((await world.call(other, 'GET', '/api/deliveries/held')).body.held).toEqual([])
  expect((await world.call(other, 'POST', '/api/deliveries/held', { push: 'all' })).body).toEqual({
    pushed: 0,
    left: 0,
  })
  expect(await offers()).toEqual([{ destination: 'webhook', count: 1 }])
})

/** Whether a session is waiting for an advisory lock in this database. */
async function isLockWaitedFor(): Promise<boolean> {
  const { rows } = await world.services.db.pool.query(`
    select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.length > 0
}

test('an insight that crosses the threshold while the destination is being connected is held', async () => {
  let connected = false
  const started = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const grouping = world.inside(workspace, async (tx) => {
    await sql`
      insert into insight (workspace_id, issue_number, name, summary, mention_count, people_count, heard)
      values (${workspace}, 1, 'crossing', 'it', 3, 1, 3)`.execute(tx)
    await considerPush(world.services)(tx, workspace, [1])
    started.resolve()
    await go.promise
  })
  await started.promise
  const connecting = world.connect(workspace, receiver.url).then(() => {
    connected = true
  })
  await vi.waitFor(async () => expect(connected || (await isLockWaitedFor())).toBe(true), { timeout: 300_000 })
  go.resolve()
  await Promise.all([grouping, connecting])
  expect(await world.deliveries(workspace)).toMatchObject([{ issue_number: 1, waits_for: 'held' }])
})

test('workers, a connection, a switch and a lower threshold at once: each insight is held or pushed, once', async () => {
  const issues = Array.from({ length: 24 }, (_, index) => index + 1)
  const worker = async (first: number) => {
    for (const issue of issues.filter((one) => one % 6 === first)) {
      for (let mention = 0; mention < 4; mention += 1) await world.say(workspace, issue, 1)
    }
  }
  const owner = async () => {
    await world.connect(workspace, receiver.url)
    await settings({ min_inputs: 2 })
    await switchTo(false)
    await switchTo(true)
    await settings({ min_inputs: 3 })
    await settings({ min_inputs: 2 })
  }
  await Promise.all([...[0, 1, 2, 3, 4, 5].map(worker), owner()])
  const [settled] = [await world.deliveries(workspace)]
  const created = settled.filter((one) => one.event === 'insight.created')
  expect(ascending(created.map((one) => one.issue_number))).toEqual(issues)
  const held = created.filter((one) => one.waits_for === 'held').map((one) => one.issue_number)
  await sweepAndWork()
  const pushed = issues.filter((issue) => !held.includes(issue))
  expect(issuesReceived()).toEqual(pushed)
  await answer({ push: 'all' })
  await world.work(workspace)
  expect(issuesReceived()).toEqual(issues)
})

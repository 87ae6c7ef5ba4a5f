import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sweepDeliveries } from './jobs.ts'
import { eachWithReceiver, receiver, workspace, world } from './testing.ts'

eachWithReceiver()

const push = (issue: number, body: object = {}) => world.call(workspace, 'POST', `/api/insights/${issue}/push`, body)

test('pushing by hand needs a destination, an insight, and a destination that is connected', async () => {
  await world.say(workspace, 1, 2)
  expect(await push(1)).toMatchObject({ status: 422, body: { code: 'not_configured' } })
  await world.connect(workspace, receiver.url)
  expect(await push(9)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await push(1, { destinations: ['linear'] })).toMatchObject({ status: 422, body: { code: 'not_configured' } })
  const pushed = await push(1, { destinations: ['webhook'] })
  expect(pushed.status).toBe(200)
  expect(await push(1)).toEqual(pushed)
  await world.work(workspace)
  expect(receiver.received.map(({ payload }) => payload.type)).toEqual(['insight.created'])
})

test('pushing again sends an update now, and another within the hour is a conflict', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  expect((await push(1)).status).toBe(200)
  await world.work(workspace)
  expect(receiver.received.map(({ payload }) => payload.type)).toEqual(['insight.created', 'insight.updated'])
  expect(await push(1)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await world.say(workspace, 1, 1)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(2)
  expect((await push(1)).status).toBe(200)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(3)
  expect(receiver.received[2]?.payload.data.new_mentions).toBe(1)
})

test('a replay sends the same id and the same bytes, as another attempt', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const [delivery] = await world.deliveries(workspace)
  const replayed = await world.call(workspace, 'POST', `/api/deliveries/${String(delivery?.id)}/replay`)
  expect(replayed).toMatchObject({
    status: 200,
    body: { delivery: { state: 'delivered', again: 'waiting', waits_for: 'due', event_id: delivery?.event_id } },
  })
  const listed = async (state: string) => {
    const { body } = await world.call(workspace, 'GET', `/api/deliveries?state=${state}`)
    return (body.deliveries as unknown[]).length
  }
  expect([await listed('waiting'), await listed('delivered')]).toEqual([0, 1])
  await world.work(workspace)
  expect(await world.deliveries(workspace)).toMatchObject([{ state: 'delivered', again: null, waits_for: null }])
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  expect(await world.attempts(workspace, delivery?.id)).toHaveLength(2)
})

test('an insight that was deleted before its event went out is not sent', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.inside(workspace, (tx) => sql`update insight set deleted_at = now()`.execute(tx))
  await world.work(workspace)
  expect(receiver.received).toEqual([])
  expect(await world.deliveries(workspace)).toEqual([])
  await world.inside(workspace, (tx) => sql`update insight set deleted_at = null`.execute(tx))
  await sweepDeliveries(world.services)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
})

test('what waits for a destination that was disconnected fails with the reason', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  await world.call(workspace, 'POST', '/api/webhook/disconnect', {})
  await sweepDeliveries(world.services)
  expect(await world.deliveries(workspace)).toMatchObject([
    { state: 'failed', last_error: expect.stringContaining('disconnected') },
  ])
})

test('the ledger is paged and filtered, and a strange cursor is refused by name', async () => {
  await world.connect(workspace, receiver.url)
  for (let issue = 1; issue <= 60; issue += 1) await world.say(workspace, issue, 3)
  const first = await world.call(workspace, 'GET', '/api/deliveries')
  const cursor = String(first.body.next_cursor)
  const second = await world.call(workspace, 'GET', `/api/deliveries?cursor=${cursor}`)
  const all = [first, second].flatMap(({ body }) => body.deliveries as { issue_number: number }[])
  expect(new Set(all.map((one) => one.issue_number)).size).toBe(60)
  expect(all).toHaveLength(60)
  expect(second.body.next_cursor).toBeNull()
  const one = await world.call(workspace, 'GET', '/api/deliveries?issue_number=7&destination=webhook')
  expect(one.body.deliveries).toMatchObject([{ issue_number: 7, destination: 'webhook' }])
  expect((await world.call(workspace, 'GET', '/api/deliveries?destination=linear')).body.deliveries).toEqual([])
  await world.inside(workspace, (tx) => sql`update delivery set state = 'failed' where issue_number = 7`.execute(tx))
  const failed = await world.call(workspace, 'GET', '/api/deliveries?state=failed')
  expect(failed.body.deliveries).toMatchObject([{ issue_number: 7, remote_url: null }])
  expect((await world.call(workspace, 'GET', '/api/deliveries?state=lost')).status).toBe(400)
  for (const strange of ['x', 'WzEsMl0', '%F0%9F%92%A5']) {
    expect(await world.call(workspace, 'GET', `/api/deliveries?cursor=${strange}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
  }
})

test('another workspace sees and replays nothing of it', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  const [delivery] = await world.deliveries(workspace)
  const other = await world.workspace()
  expect(await world.deliveries(other)).toEqual([])
  const id = String(delivery?.id)
  expect((await world.call(other, 'GET', `/api/deliveries/${id}`)).status).toBe(404)
  expect((await world.call(other, 'POST', `/api/deliveries/${id}/replay`)).status).toBe(404)
  expect((await world.call(other, 'POST', '/api/insights/1/push', {})).status).toBe(404)
})

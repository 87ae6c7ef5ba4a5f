import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deliver } from './send.ts'
import { ascending, eachWithReceiver, receiver, workspace, world } from './testing.ts'

eachWithReceiver(() => world.connect(workspace, receiver.url))

const raise = async (min_inputs: number) => {
  const settings = { method: 'auto', min_inputs, categories: [] }
  expect((await world.call(workspace, 'POST', '/api/user/update-settings', settings)).status).toBe(200)
}
const pause = (paused: boolean) =>
  world.inside(workspace, (tx) => sql`update connection set paused = ${paused} where connector = 'webhook'`.execute(tx))
const sweepAndWork = () => world.sweepAndWork(workspace)
const issues = () => receiver.received.map(({ payload }) => payload.data.insight.issue_number)
const states = async () => (await world.deliveries(workspace)).map(({ state }) => state)

describe('a push that is due and not yet sent', () => {
  test('is taken back when the threshold is raised above its insight, and comes once the insight reaches it', async () => {
    await world.say(workspace, 1, 3)
    await world.say(workspace, 2, 6)
    await raise(5)
    expect(await world.deliveries(workspace)).toMatchObject([{ issue_number: 2, state: 'waiting' }])
    await sweepAndWork()
    expect(issues()).toEqual([2])
    await world.say(workspace, 1, 2)
    await sweepAndWork()
    expect(issues()).toEqual([2, 1])
  })

  test('is taken back for a destination that is paused, too', async () => {
    await pause(true)
    await world.say(workspace, 1, 3)
    await raise(5)
    expect(await world.deliveries(workspace)).toEqual([])
    await pause(false)
    await sweepAndWork()
    await world.say(workspace, 2, 5)
    await sweepAndWork()
    expect(issues()).toEqual([2])
  })

  test('is taken back when its insight has lost mentions meanwhile', async () => {
    await world.say(workspace, 1, 3)
    await world.inside(workspace, (tx) => sql`update insight set mention_count = 2`.execute(tx))
    await world.work(workspace)
    await world.say(workspace, 2, 3)
    await world.work(workspace)
    expect(issues()).toEqual([2])
  })

  test('goes out if a person asked for it, before or after it was due', async () => {
    await world.say(workspace, 1, 2)
    await world.say(workspace, 2, 3)
    for (const issue of [1, 2]) {
      expect((await world.call(workspace, 'POST', `/api/insights/${issue}/push`, {})).status).toBe(200)
    }
    await raise(5)
    await world.work(workspace)
    expect(ascending(issues())).toEqual([1, 2])
  })

  test('goes out if a person chose it among those that were held', async () => {
    await world.say(workspace, 1, 2)
    await raise(2)
    expect((await world.call(workspace, 'POST', '/api/deliveries/held', { push: 'all' })).body).toMatchObject({
      pushed: 1,
    })
    await raise(5)
    await world.work(workspace)
    expect(issues()).toEqual([1])
  })
})

test('what was sent, or may have been, is finished although the threshold was raised meanwhile, with the same bytes', async () => {
  receiver.answer = (response, count) => void response.writeHead(count === 1 ? 503 : 204).end()
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  await raise(5)
  world.later(60)
  await sweepAndWork()
  expect([issues(), await states()]).toEqual([[1, 1], ['delivered']])
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
})

test('a threshold that is raised while a push is being sent leaves it to end', async () => {
  const sent = Promise.withResolvers<void>()
  let respond: () => void = () => undefined
  receiver.answer = (response) => {
    respond = () => response.writeHead(204).end()
    sent.resolve()
  }
  await world.say(workspace, 1, 3)
  const [{ id } = {}] = await world.deliveries(workspace)
  const data = { workspaceId: workspace, deliveryId: String(id), attempts: 0 }
  const sending = deliver(world.services, data, new AbortController().signal)
  await sent.promise
  await raise(5)
  respond()
  await sending
  await sweepAndWork()
  expect([issues(), await states()]).toEqual([[1], ['delivered']])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiverJobs } from './jobs.ts'
import { type AddedReceiver, ReceiverWorld, verified } from './testing.ts'

let receivers: ReceiverWorld

// The queue of the test runs no schedules: nothing here is found by the sweep.
beforeAll(async () => {
  receivers = await ReceiverWorld.start()
  for (const worker of receiverJobs(receivers.services)) await worker.start(receivers.services.queue)
})
afterAll(() => receivers.stop())

test('a worker sends an event once it is committed, and again after the pause of the schedule', async () => {
  const workspace = await receivers.workspace()
  const { id, secret, server, replies } = await receivers.add(workspace)
  replies.push(503)
  await receivers.setTeamStatus(workspace, 1, 'planned')
  await expect.poll(() => server.seen.length).toBe(1)
  await expect.poll(() => server.seen.length).toBe(2)
  const [first, second] = verified(server, secret)
  expect(second).toEqual(first)
  await expect
    .poll(() => receivers.deliveries(workspace, id))
    .toMatchObject([{ state: 'delivered', attempts: 2, status: 200 }])
})

test('ten receivers that do not reply delay no event of another workspace, nor each other', async () => {
  const slow = await receivers.workspace()
  const quick = await receivers.workspace()
  const held = Promise.withResolvers<void>()
  const hold: Parameters<ReceiverWorld['add']>[2] = (_, response) => void held.promise.then(() => response.end('ok'))
  const added: AddedReceiver[] = []
  for (let count = 0; count < 10; count += 1) added.push(await receivers.add(slow, null, hold))
  const { server } = await receivers.add(quick)
  await receivers.setTeamStatus(slow, 1, 'planned')
  await expect.poll(() => added.every((one) => one.server.seen.length === 1)).toBe(true)
  await receivers.setTeamStatus(quick, 1, 'planned')
  await expect.poll(() => server.seen.length).toBe(1)
  expect(added.map((one) => one.server.seen.length)).toEqual(Array.from({ length: 10 }, () => 1))
  held.resolve()
})

import { afterEach, describe, expect, test } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createQueue } from '../../platform/queue/queue.ts'
import { deliveryJobs, sweepDeliveries } from './jobs.ts'
import { eachWithReceiver, receiver, workspace, world } from './testing.ts'

const HOUR = 60

const processes: { stop(): Promise<void> }[] = []

eachWithReceiver(async () => {
  world.now = new Date()
  await world.connect(workspace, receiver.url)
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop()))
})

/** A worker process over the same database, with a queue of its own. */
async function startWorker(): Promise<void> {
  const queue = await createQueue({ db: world.services.db, log: silentLog() })
  const services = withCaches({ ...world.services, queue })
  processes.push({
    async stop() {
      await queue.stop({ graceSeconds: 5 })
      await services.caches.dispose()
    },
  })
  for (const worker of deliveryJobs(services)) if (worker.name === 'deliver') await queue.work(worker)
}

const issues = () => receiver.received.map(({ payload }) => payload.data.insight.issue_number)
const states = async () => (await world.deliveries(workspace)).map(({ state }) => state)

describe('when the clock jumps an hour', () => {
  test('ahead while a push is under way, no other worker sends it as well', async () => {
    let respond: () => void = () => undefined
    receiver.answer = (response, count) => {
      const answer = () => response.writeHead(204).end()
      if (count === 1) respond = answer
      else answer()
    }
    await Promise.all([startWorker(), startWorker()])
    await world.say(workspace, 1, 3)
    await expect.poll(issues).toEqual([1])
    world.later(HOUR)
    await sweepDeliveries(world.services)
    // The jobs are taken in their order: that of the first push was there before.
    for (const issue of [2, 3]) {
      await world.say(workspace, issue, 3)
      await expect.poll(issues).toContain(issue)
    }
    respond()
    await expect.poll(states).toEqual(['delivered', 'delivered', 'delivered'])
    world.later(-HOUR)
    await sweepDeliveries(world.services)
    await world.say(workspace, 4, 3)
    await expect.poll(issues).toContain(4)
    expect(issues()).toEqual([1, 2, 3, 4])
  })

  test('back, what waits for another attempt comes an hour later, once', async () => {
    receiver.answer = (response, count) => void response.writeHead(count === 1 ? 503 : 204).end()
    await world.say(workspace, 1, 3)
    await world.work(workspace)
    world.later(-HOUR)
    await sweepDeliveries(world.services)
    await world.work(workspace)
    expect([issues(), await states()]).toEqual([[1], ['waiting']])
    for (let minutes = 0; minutes < HOUR + 10; minutes += 5) {
      world.later(5)
      await sweepDeliveries(world.services)
      await world.work(workspace)
    }
    expect([issues(), await states()]).toEqual([[1, 1], ['delivered']])
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  })
})

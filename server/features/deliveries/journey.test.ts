import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { silentLog } from '../../platform/log/log.ts'
import { createQueue } from '../../platform/queue/queue.ts'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { insightJobs, requestGrouping } from '../insights/index.ts'
import { considerPush } from './ask.ts'
import { deliveryJobs } from './jobs.ts'
import { Receiver, withWorld, world } from './testing.ts'

let receiver: Receiver
const processes: { stop(): Promise<void> }[] = []

withWorld()
beforeEach(async () => {
  receiver = await Receiver.start()
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop()))
  await receiver.stop()
})

const subjects = [
  'CSV export stops after a thousand rows',
  'Password reset mail never arrives',
  'Dark mode text is unreadable',
]

/** A worker process: its own queue and groups, over the same database. */
async function startWorker(): Promise<void> {
  const queue = await createQueue({ db: world.services.db, log: silentLog() })
  const services = withCaches({ ...world.services, queue })
  processes.push({
    async stop() {
      await queue.stop({ graceSeconds: 5 })
      await services.caches.dispose()
    },
  })
  const workers = [...insightJobs(services, { changed: considerPush(services) }), ...deliveryJobs(services)]
  for (const worker of workers) await queue.work(worker)
}

test('stored feedback becomes insights, and each reaches the webhook once, with three workers', async () => {
  world.now = new Date()
  const workspace = await world.workspace()
  await world.connect(workspace, receiver.url)
  await Promise.all([startWorker(), startWorker(), startWorker()])
  for (let part = 0; part < 4; part += 1) {
    await world.inside(workspace, async (tx) => {
      const connection = await fileConnection(tx, workspace)
      const items = Array.from({ length: 15 }, (_, index) => {
        const n = part * 15 + index
        return {
          externalId: `m${n}`,
          text: `${subjects[n % subjects.length]} (${n})`,
          author: `person ${n}`,
          at: world.now,
          link: null,
          thread: null,
          place: null,
        }
      })
      await storeItems(tx, workspace, connection.id, items)
      await requestGrouping(world.services)(tx, workspace)
    })
  }
  const grouped = () =>
    world.inside(workspace, async (tx) => {
      const { rows } = await sql<{ waiting: number; shown: number; unpushed: number }>`
        select (select count(*) from feedback_item where grouped_seq is null)::int as waiting,
          count(*) filter (where not hidden)::int as shown,
          count(*) filter (where not hidden and mention_count >= 3 and status <> 'pushed')::int as unpushed
        from insight`.execute(tx)
      return rows[0]
    })
  await vi.waitFor(
    async () => {
      const state = await grouped()
      expect(state).toMatchObject({ waiting: 0, unpushed: 0 })
      expect(state?.shown).toBeGreaterThanOrEqual(3)
    },
    { timeout: 300_000, interval: 250 },
  )
  const created = receiver.received.filter(({ payload }) => payload.type === 'insight.created')
  const issues = created.map(({ payload }) => payload.data.insight.issue_number)
  expect(new Set(issues).size).toBe(issues.length)
  expect(issues.length).toBeGreaterThanOrEqual(3)
  const ledger = await world.deliveries(workspace)
  expect(new Set(ledger.map((one) => one.event_id)).size).toBe(ledger.length)
})

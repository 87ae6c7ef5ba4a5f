import { afterAll, expect, it } from 'vitest'
import { withCaches } from '../../../platform/caches.ts'
import { createQueue } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { duringTests } from '../../../platform/testing.ts'
import { World } from '../testing.ts'
import { insightJobs, requestGrouping } from './jobs.ts'
import { forgetGroups } from './run.ts'
import { stateLoads } from './state-loads.ts'

const WORKSPACES = 6
const ROUNDS = 5

const processes: Services[] = []

const world = duringTests(() => World.start())
afterAll(async () => {
  for (const services of processes) {
    await services.queue.stop({ graceSeconds: 0 })
    await forgetGroups(services)
  }
})

/** A process that groups. */
async function startProcess(): Promise<Services> {
  const queue = await createQueue({ db: world.services.db, log: world.services.log, maintain: false })
  const services = withCaches({ ...world.services, queue })
  processes.push(services)
  const [group] = insightJobs(services, { changed: async () => undefined })
  await group?.start(queue)
  return services
}

const loads = () => {
  const all = processes.map(({ caches }) => caches.of(stateLoads))
  const sum = (from: 'database' | 'memory') => all.reduce((total, one) => total + one[from], 0)
  return { database: sum('database'), memory: sum('memory') }
}

async function round(workspaces: string[], number: number): Promise<void> {
  for (const workspace of workspaces) {
    await world.store(workspace, [{ id: `m${number}`, text: `The export of report ${number} stops half-way.` }])
    await world.inside(workspace, (tx) => requestGrouping(world.services)(tx, workspace))
  }
  for (const workspace of workspaces) {
    await expect.poll(() => world.waitsToBeGrouped(workspace), { interval: 50 }).toBe(false)
  }
}

it('of two processes that group, one loads each workspace, and after it stops the other one', async () => {
  const first = await startProcess()
  await startProcess()
  const workspaces: string[] = []
  for (let made = 0; made < WORKSPACES; made += 1) workspaces.push(await world.workspace())
  for (let number = 0; number < ROUNDS; number += 1) await round(workspaces, number)
  expect(loads().database).toBe(WORKSPACES)
  expect(loads().memory).toBeGreaterThanOrEqual(WORKSPACES * (ROUNDS - 1))
  const ofFirst = first.caches.of(stateLoads).database
  await first.queue.stop()
  await round(workspaces, ROUNDS)
  await round(workspaces, ROUNDS + 1)
  expect(loads().database).toBe(WORKSPACES + ofFirst)
  for (const workspace of workspaces) {
    const { statements } = (await world.groups(workspace)) as { statements: unknown[] }
    expect(statements.length).toBe(ROUNDS + 2)
  }
})

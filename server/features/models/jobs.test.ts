import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createQueue, defineJob, type Queue } from '../../platform/queue/queue.ts'
import { QUEUE_SCHEMA } from '../../platform/queue/schema.ts'
import { modelJobs } from './index.ts'
import { sweepModels } from './sweep.ts'
import { Company, honest } from './tasks/joins/testing.ts'
import { EXPORTS, goodReply, respond, ScriptedModel, World } from './testing.ts'

let world: World
let model: ScriptedModel
const queues: Queue[] = []
/** The job that runs each minute. */
const sweepJob = defineJob({ name: 'describe-sweep', schema: z.object({}), tries: 5 })

beforeEach(async () => {
  world = await World.start()
  model = await ScriptedModel.start()
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop({ graceSeconds: 0 })
  await model.stop()
  await world.stop()
})

/** What a worker process does for models, with its own queue. */
async function worker(llm: ReturnType<World['settings']> | undefined) {
  const queue = await createQueue({ db: world.services.db, log: world.services.log, maintain: false })
  queues.push(queue)
  const services = { ...world.services, queue, now: () => new Date(), config: { ...world.services.config, llm } }
  const jobs = modelJobs(services)
  for (const job of jobs) await queue.work(job)
  return { services, jobs, queue }
}

const schedules = async () =>
  (await world.services.db.pool.query(`select name from ${QUEUE_SCHEMA}.schedule where name like 'describe%'`)).rows
    .length

test('with a model, the sweep and a job name an insight; without one, no schedule is left', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  const llm = world.settings(model)
  const { services, jobs, queue } = await worker(llm)
  expect(jobs.map(({ name }) => name)).toEqual([
    'read-messages',
    'review-insights',
    'describe-insights',
    'judge-joins',
    'split-messages',
    'describe-sweep',
  ])
  expect(await schedules()).toBe(1)
  const sent: string[] = []
  await sweepModels(services, llm, async (task, id) => void sent.push(`${task} ${id}`))
  expect(sent).toEqual([`names ${workspaceId}`])
  await queue.send(sweepJob, {})
  await expect.poll(async () => (await world.shown(workspaceId, 1))?.name).toMatch(/^CSV export/)
  await queue.stop({ graceSeconds: 0 })

  const off = await worker(undefined)
  expect(off.jobs.map(({ name }) => name)).toEqual(['describe-sweep'])
  expect(await schedules()).toBe(0)
})

test('when no name is due, the sweep starts splits, and then joins', async () => {
  const company = await Company.start(world)
  await world.inside(company.workspaceId, (tx) => sql`update insight set hidden = true`.execute(tx))
  model.script = honest
  const { queue } = await worker(world.settings(model, { tokensPerDay: 10_000_000 }))
  await queue.send(sweepJob, {})
  const looks = async () =>
    (
      await world.inside(company.workspaceId, (tx) => sql<{ task: string }>`select task from model_look`.execute(tx))
    ).rows.map((row) => row.task)
  await expect.poll(looks).toEqual(['splits'])
  await queue.send(sweepJob, {})
  await expect.poll(async () => (await company.decisions()).length).toBeGreaterThan(4)
  await queue.stop({ graceSeconds: 1 })
  await company.group()
  expect((await company.byModel()).length).toBeGreaterThan(4)
})

test('a rate-limited job runs again after the pause, without using up an attempt', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (heard, response, count) => {
    if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end()
    else respond(response, goodReply(heard))
  }
  const { queue } = await worker(world.settings(model))
  await queue.send(sweepJob, {})
  await expect.poll(async () => (await world.shown(workspaceId, 1))?.name).toMatch(/^CSV export/)
  expect((await queue.dead.list()).length).toBe(0)
})

test('a stop during a call loses nothing: the next worker makes it again', async () => {
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = () => undefined
  const first = await worker(world.settings(model))
  await first.queue.send(sweepJob, {})
  await expect.poll(() => model.heard.length).toBe(1)
  await first.queue.stop({ graceSeconds: 0 })
  expect(await world.outage()).toBeNull()
  model.script = (heard, response) => respond(response, goodReply(heard))
  await worker(world.settings(model))
  await expect.poll(async () => (await world.shown(workspaceId, 1))?.name).toMatch(/^CSV export/)
})

test('without a model no library for one is loaded, and nothing is sent', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({
      resolve(name, context, next) {
        const found = next(name, context)
        loaded.push(found.url)
        return found
      },
    })
    await import(${JSON.stringify(path.resolve(import.meta.dirname, '../../wiring.ts'))})
    process.stdout.write(JSON.stringify(loaded.filter((url) => /node_modules\\/(ai|@ai-sdk)\\/|features\\/models\\//.test(url))))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const loaded = (JSON.parse(stdout) as string[]).map((url) => path.basename(url))
  expect([...new Set(loaded)].sort()).toEqual([
    'activity-store.ts',
    'check-model.ts',
    'content-words.ts',
    'encoder.ts',
    'error-rates.ts',
    'estimate.ts',
    'index.ts',
    'jobs.ts',
    'labelled.ts',
    'paid-calls.ts',
    'prompt-versions.ts',
    'provider.ts',
    'reading-choice-store.ts',
    'reading-routes.ts',
    'routes.ts',
    'scan-store.ts',
  ])
  const workspaceId = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  await worker(undefined)
  expect(model.heard).toHaveLength(0)
})

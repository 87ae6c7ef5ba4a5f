import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { believingServer } from '../../platform/http/testing.ts'
import { createQueue, defineJob } from '../../platform/queue/queue.ts'
import { insightJobs, insightRoutes, readLastItem, requestGrouping } from '../insights/index.ts'
import { modelJobs } from './index.ts'
import { writeChoice } from './reading-choice-store.ts'
import { requestScan } from './scan-store.ts'
import { Company } from './tasks/joins/testing.ts'
import { EXPORTS, LOGINS } from './tasks/reviews/testing.ts'
import { ScriptedModel, World } from './testing.ts'

/** The job that runs each minute. */
const sweepJob = defineJob({ name: 'describe-sweep', schema: z.object({}), tries: 5 })

test.each([
  ['reading', 'all', false],
  ['reviews', 'new', true],
] as const)(
  'new messages are grouped and listed while the model holds its reply about %s',
  async (_what, scope, reviews) => {
    const world = await World.start()
    onTestFinished(() => world.stop())
    const model = await ScriptedModel.start()
    onTestFinished(() => model.stop())
    const held: ServerResponse[] = []
    model.script = (_heard, response) => void held.push(response)
    const queue = await createQueue({ db: world.services.db, log: world.services.log, maintain: false })
    onTestFinished(() => queue.stop({ graceSeconds: 0 }))
    const llm = world.settings(model, { tokensPerDay: 10_000_000 })
    const services = { ...world.services, queue, config: { ...world.services.config, llm } }
    for (const job of [...insightJobs(services, { changed: async () => undefined }), ...modelJobs(services)])
      await queue.work(job)
    const app = await believingServer(services, insightRoutes(services))
    onTestFinished(() => app.close())
    const company = new Company(world, await world.workspace())
    const { workspaceId } = company
    const headers = { authorization: `Bearer ${workspaceId}` }
    const listed = async () =>
      (await app.inject({ method: 'GET', url: '/api/insights/get-all', headers })).json<unknown[]>().length
    /** Stores messages, and requests grouping, as whatever stores messages does. */
    const arrive = async (texts: readonly string[]) => {
      await company.store(texts.map((text) => ({ id: text, text })))
      await world.inside(workspaceId, (tx) => requestGrouping(services)(tx, workspaceId))
    }

    await arrive(LOGINS)
    await expect.poll(listed).toBe(1)
    await world.inside(workspaceId, async (tx) => {
      const last = await readLastItem(tx, workspaceId)
      await writeChoice(tx, workspaceId, { scope, paused: false, reviews, last, by: 'Ann', now: world.now })
      await requestScan(tx, workspaceId, 'readings', world.now)
    })
    const sweep = async () => {
      await queue.send(sweepJob, {})
      return held.length
    }
    await expect.poll(sweep).toBe(1)
    expect(JSON.stringify(model.heard[0]?.data)).toContain(reviews ? '"insights"' : '"messages"')

    await arrive(EXPORTS)
    await expect.poll(listed).toBe(2)
    expect([held.length, held[0]?.writableEnded]).toEqual([1, false])
  },
)

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { believingServer } from '../../../../platform/http/testing.ts'
import { duringTests } from '../../../../platform/testing.ts'
import { fileConnection } from '../../../connections/index.ts'
import { storeItems } from '../../../feedback/index.ts'
import { groupNow, insightRoutes } from '../../../insights/index.ts'
import { EXPORTS, goodReply, respond, ScriptedModel, World } from '../../testing.ts'

let app: FastifyInstance
let workspaceId: string

const world = duringTests(() => World.start())
const model = duringTests(() => ScriptedModel.start())

beforeAll(async () => {
  workspaceId = await world.workspace()
  app = await believingServer(world.services, insightRoutes(world.services))
})
afterAll(() => app.close())

type Shown = { issue_number: number; issue_name: string; summary: string }

async function list(etag = ''): Promise<{ status: number; etag: string; insights: Shown[] }> {
  const headers = { authorization: `Bearer ${workspaceId}`, 'if-none-match': etag }
  const reply = await app.inject({ url: '/api/insights/get-all', headers })
  return {
    status: reply.statusCode,
    etag: String(reply.headers.etag),
    insights: reply.statusCode === 200 ? (reply.json() as Shown[]) : [],
  }
}

const store = (texts: readonly string[], from: number) =>
  world.inside(workspaceId, async (tx) => {
    const connection = await fileConnection(tx, workspaceId)
    const items = texts.map((text, at) => ({
      externalId: `m${from + at}`,
      text,
      author: `Person ${from + at}`,
      at: new Date(world.now.getTime() + (from + at) * 1000),
      link: null,
      thread: null,
      place: null,
    }))
    await storeItems(tx, workspaceId, connection.id, items)
  })

test('from stored feedback to the list: the engine groups, the model names, and a poll gets it', async () => {
  await store(EXPORTS, 0)
  await groupNow(world.services, workspaceId)
  const before = await list()
  expect(before.insights).toHaveLength(1)
  const [engine] = before.insights as [Shown]
  expect((await list(before.etag)).status).toBe(304)

  await world.run(workspaceId, world.settings(model))
  expect(model.heard[0]?.title).toBe(engine.issue_name)
  expect(await world.stored(workspaceId, engine.issue_number)).toMatchObject({ refused: null })
  await expect.poll(async () => (await list(before.etag)).status).toBe(200)
  expect((await list(before.etag)).insights[0]).toMatchObject({
    issue_number: engine.issue_number,
    issue_name: 'CSV export stops for large reports',
    summary: 'The CSV export of large reports stops.',
  })
  const detail = await app.inject({
    url: `/api/insights/${engine.issue_number}/detail`,
    headers: { authorization: `Bearer ${workspaceId}` },
  })
  expect(detail.json()).toMatchObject({
    history: expect.arrayContaining([
      expect.objectContaining({ event: 'renamed', from: engine.issue_name, to: 'CSV export stops for large reports' }),
    ]) as unknown,
  })
})

test('a group that the engine describes differently shows the built-in name until the model is asked again', async () => {
  const [{ issue_number: number }] = (await list()).insights as [Shown]
  await store(
    Array.from({ length: 40 }, (_, at) => `Exporting reports to CSV is far too slow, it took ${at + 2} hours`),
    100,
  )
  await groupNow(world.services, workspaceId)
  const engines = await world.shown(workspaceId, number)
  expect(engines?.name).not.toBe('CSV export stops for large reports')
  const asked = model.heard.length
  model.script = (heard, response) => respond(response, goodReply(heard, 'Exporting reports to CSV is slow'))
  await world.run(workspaceId, world.settings(model))
  expect(model.heard[asked]?.title).toBe(engines?.name)
  expect((await world.shown(workspaceId, number))?.name).toBe('Exporting reports to CSV is slow')
})

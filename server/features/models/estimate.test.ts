import type { LanguageModel } from '@groundswell/contract/models/language-model.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { believingServer } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { estimateRoutes } from './estimate.ts'
import { EXPORTS, ScriptedModel, World } from './testing.ts'

const world = duringTests(() => World.start())
const model = duringTests(() => ScriptedModel.start())

async function estimate(workspaceId: string, hasModel: boolean): Promise<LanguageModel> {
  const services = world.otherProcess()
  const { llm: _, ...config } = services.config
  services.config = hasModel ? { ...config, llm: world.settings(model) } : config
  const app = await believingServer(services, estimateRoutes(services))
  const headers = { authorization: `Bearer ${workspaceId}` }
  const response = await app.inject({ method: 'GET', url: '/api/language-model', headers })
  await app.close()
  expect(response.statusCode).toBe(200)
  return response.json<LanguageModel>()
}

test('says what a model would take for the stored messages, with and without one, and asks nothing', async () => {
  const workspaceId = await world.workspace()
  expect(await estimate(workspaceId, false)).toEqual({
    model: null,
    where: null,
    messages: 0,
    undecided: 0,
    unnamed: 0,
    tokens: 0,
    tokens_per_thousand: { least: 190_000, most: 350_000 },
    tokens_per_day: null,
  })
  await world.insight(workspaceId, 1, EXPORTS)
  await world.inside(workspaceId, (tx) =>
    sql`update statement set kind = 'pending', issue_number = null where item_id = (select max(item_id) from statement)`.execute(
      tx,
    ),
  )
  const stored = { messages: EXPORTS.length, undecided: 1, unnamed: 1, tokens: 350 + 700 }
  expect(await estimate(workspaceId, false)).toMatchObject({ model: null, ...stored })
  const { host } = new URL(model.url)
  expect(await estimate(workspaceId, true)).toMatchObject({
    model: 'small',
    where: host,
    tokens_per_day: 200_000,
    ...stored,
  })
  expect(model.heard).toEqual([])
})

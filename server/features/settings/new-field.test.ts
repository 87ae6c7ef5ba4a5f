import type * as contract from '@groundswell/contract/settings.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { authenticate } from '../../auth/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { settingsRoutes } from './routes.ts'
import { readSettings } from './store.ts'

// The first step of the recipe "A settings field" in docs/architecture.md.
vi.mock('@groundswell/contract/settings.ts', async (load) => {
  const real = await load<typeof contract>()
  const Settings = z.extend(real.Settings, { quiet_days: z.optional(z.array(z.enum(['sat', 'sun']))) })
  const reply = z.object({ message: z.string(), data: Settings })
  return { ...real, Settings, updateSettings: { ...real.updateSettings, body: Settings, reply } }
})

let app: TestApp

beforeAll(async () => {
  app = await testApp((services) => ({
    handlers: [...accountRoutes(services), ...settingsRoutes(services, { thresholdChanged: async () => {} })],
    authenticate: authenticate(services),
  }))
})
afterAll(() => app.cleanup())

test('a settings field takes its description in the contract: it is saved, read, checked, and kept by clients that do not know it', async () => {
  const ann = await app.person('ann')
  const save = (more: object) =>
    app.call('POST', '/api/user/update-settings', {
      as: ann,
      payload: { method: 'auto', min_inputs: 4, categories: [], ...more },
    })
  expect((await save({ quiet_days: ['sun'] })).json().data).toMatchObject({ quiet_days: ['sun'] })
  expect((await save({ min_inputs: 5 })).json().data).toMatchObject({ min_inputs: 5, quiet_days: ['sun'] })
  expect((await save({ quiet_days: ['mon'] })).statusCode).toBe(400)
  expect((await app.call('GET', '/api/user/user-data', { as: ann })).json().settings).toMatchObject({
    quiet_days: ['sun'],
  })
  const read = await inWorkspace(app.services.db, ann.workspaceId, (tx) => readSettings(tx, ann.workspaceId))
  expect(read).toMatchObject({ quiet_days: ['sun'] })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate } from '../../auth/index.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { settingsRoutes } from './routes.ts'

let test: TestApp

beforeAll(async () => {
  const hooks = { thresholdChanged: async () => undefined }
  test = await testApp((services) => ({
    handlers: [...accountRoutes(services), ...settingsRoutes(services, hooks)],
    authenticate: authenticate(services),
  }))
})
afterAll(() => test.cleanup())

const put = (as: TestPerson, name: string) => test.call('PUT', '/api/workspace/name', { as, payload: { name } })
const shown = async (as: TestPerson) => (await test.call('GET', '/api/user/user-data', { as })).json().workspace.name

it('is what an owner calls it, trimmed; other workspaces keep theirs', async () => {
  const [ann, bo] = [await test.person('ann'), await test.person('bo')]
  const before = await shown(bo)
  expect((await put(ann, '  Café Süd, product team ')).json()).toEqual({ name: 'Café Süd, product team' })
  expect([await shown(ann), await shown(bo)]).toEqual(['Café Süd, product team', before])
})

it.each([
  ['empty', ''],
  ['blank', '   '],
  ['control', 'a\u0007b'],
  ['long', 'x'.repeat(201)],
])('is not %s', async (what, name) => {
  const cy = await test.person(what)
  const before = await shown(cy)
  expect((await put(cy, name)).statusCode).toBe(400)
  expect(await shown(cy)).toBe(before)
})

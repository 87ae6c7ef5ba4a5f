import { expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { settingsRoutes } from './routes.ts'

const hooks = { thresholdChanged: async () => undefined }
const test = appOfFile((services) => [...accountRoutes(services), ...settingsRoutes(services, hooks)])

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

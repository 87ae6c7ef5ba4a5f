import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { settingsRoutes } from './routes.ts'

const hooks = { thresholdChanged: async () => undefined }
const test = appOfFile((services) => [...accountRoutes(services), ...settingsRoutes(services, hooks)])

const get = async (as: TestPerson) => (await test.call('GET', '/api/time-zone', { as })).json()
const put = (as: TestPerson, payload: object) => test.call('PUT', '/api/time-zone', { as, payload })
const shown = async (as: TestPerson) =>
  (await test.call('GET', '/api/user/user-data', { as })).json().workspace.time_zone

it('is chosen by the first owner, whose browser does not change it later', async () => {
  const [ann, bo] = [await test.person('ann'), await test.person('bo')]
  expect([await get(ann), await shown(ann)]).toEqual([{ time_zone: 'UTC', chosen: false }, null])
  const berlin = { time_zone: 'Europe/Berlin', chosen: true }
  expect((await put(ann, { time_zone: 'Europe/Berlin', unless_chosen: true })).json()).toEqual(berlin)
  expect((await put(ann, { time_zone: 'Asia/Tokyo', unless_chosen: true })).json()).toEqual(berlin)
  expect([await get(ann), await shown(ann)]).toEqual([berlin, 'Europe/Berlin'])
  expect((await put(ann, { time_zone: 'America/New_York' })).json().time_zone).toBe('America/New_York')
  expect(await get(bo)).toEqual({ time_zone: 'UTC', chosen: false })
})

it('stays at UTC where a workspace was there before, until it is set', async () => {
  const cy = await test.person('cy')
  await inWorkspace(test.services.db, cy.workspaceId, (tx) => sql`update workspace set time_zone = 'UTC'`.execute(tx))
  expect((await put(cy, { time_zone: 'Europe/Berlin', unless_chosen: true })).json()).toEqual({
    time_zone: 'UTC',
    chosen: true,
  })
})

it.each(['Mars/Olympus', '', '+05:30', 'a'.repeat(65)])('refuses %j', async (time_zone) => {
  const dora = await test.person(`dora${time_zone.length}${time_zone.slice(0, 1)}`)
  expect((await put(dora, { time_zone })).statusCode).toBe(400)
  expect(await get(dora)).toEqual({ time_zone: 'UTC', chosen: false })
})

it.each(['Asia/Calcutta', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Europe/Kyiv', 'UTC'])(
  'knows %s',
  async (zone) => {
    const eve = await test.person(`eve${zone.replaceAll('/', '')}`)
    expect((await put(eve, { time_zone: zone })).json()).toEqual({ time_zone: zone, chosen: true })
  },
)

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { proves } from '../../platform/proves.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { settingsRoutes } from './routes.ts'
import { readSettings } from './store.ts'

const changed: string[] = []
const retagged: string[] = []
let failing = false

const hooks = {
  thresholdChanged: async (_tx: unknown, workspaceId: string) => {
    if (failing) throw new Error('the hook failed')
    changed.push(workspaceId)
  },
  tagsChanged: async (_tx: unknown, workspaceId: string) => {
    retagged.push(workspaceId)
  },
}
const test = appOfFile((services) => [...accountRoutes(services), ...settingsRoutes(services, hooks)])

const tag = { name: ' Area ', description: 'Which part of the product the feedback is about, one word.' }
const settings = { method: 'auto', min_inputs: 4, categories: [tag] }

it('are stored for one workspace and returned as the spec says', async () => {
  const [ann, bo] = [await test.person('ann'), await test.person('bo')]
  const answer = await test.call('POST', '/api/user/update-settings', { as: ann, payload: settings })
  const kept = { ...settings, categories: [{ ...tag, name: 'Area' }] }
  expect(answer.json()).toEqual({ message: 'Settings updated successfully', data: kept })
  expect((await test.call('GET', '/api/user/user-data', { as: ann })).json().settings).toEqual(kept)
  expect((await test.call('GET', '/api/user/user-data', { as: bo })).json().settings.min_inputs).toBe(3)
})

it('survive a stored value that no longer fits: no tag is lost when they are read, nor when they are saved', async () => {
  const ann = await test.person('stored')
  const stored = {
    ...settings,
    min_inputs: 11,
    categories: [
      { ...tag, name: 'Area', colour: 'red' },
      { name: 'Short', description: 'too short' },
    ],
    digest: 'weekly',
  }
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(test.services.db, ann.workspaceId, work)
  await inside((tx) => sql`update workspace set settings = ${JSON.stringify(stored)}::jsonb`.execute(tx))

  const shown = (await test.call('GET', '/api/user/user-data', { as: ann })).json().settings
  expect(shown).toEqual({ method: 'auto', min_inputs: 3, categories: [{ ...tag, name: 'Area' }] })
  const saved = await test.call('POST', '/api/user/update-settings', { as: ann, payload: { ...shown, min_inputs: 4 } })
  expect(saved.json().data).toEqual({ ...shown, min_inputs: 4 })
  const { rows } = await inside((tx) => sql`select settings from workspace`.execute(tx))
  expect(rows).toEqual([{ settings: { ...stored, min_inputs: 4 } }])
})

it('tell others when the threshold is another one, and only then', async () => {
  const { workspaceId, ...ann } = await test.person('threshold')
  const save = (more: object) =>
    test.call('POST', '/api/user/update-settings', { as: ann.token, payload: { ...settings, ...more } })
  changed.length = 0
  await save({ min_inputs: 3 })
  expect(changed).toEqual([])
  await save({ min_inputs: 2 })
  expect(changed).toEqual([workspaceId])
  await save({ min_inputs: 2, categories: [] })
  expect(changed).toEqual([workspaceId])
  await save({ min_inputs: 2, count_people: true })
  expect(changed).toEqual([workspaceId, workspaceId])
})

it('tell others when the tags have other names or descriptions, and only then', async () => {
  const { workspaceId, ...ann } = await test.person('tags')
  const save = (categories: object[]) =>
    test.call('POST', '/api/user/update-settings', { as: ann.token, payload: { ...settings, categories } })
  retagged.length = 0
  await save([tag])
  expect(retagged).toEqual([workspaceId])
  await save([tag])
  expect(retagged).toEqual([workspaceId])
  await save([{ ...tag, description: `${tag.description} Said otherwise.` }])
  expect(retagged).toEqual([workspaceId, workspaceId])
  await save([{ ...tag, name: 'Part' }])
  expect(retagged).toEqual([workspaceId, workspaceId, workspaceId])
})

it('are not changed when a hook fails', async () => {
  proves('2.3.3')
  const ann = await test.person('atomic')
  failing = true
  const answer = await test.call('POST', '/api/user/update-settings', { as: ann, payload: settings })
  failing = false
  expect(answer.statusCode).toBe(500)
  const kept = await inWorkspace(test.services.db, ann.workspaceId, (tx) => readSettings(tx, ann.workspaceId))
  expect(kept.min_inputs).toBe(3)
})

it.each([
  ['min_inputs', { min_inputs: 1 }],
  ['min_inputs', { min_inputs: 11 }],
  ['min_inputs', { min_inputs: 2.5 }],
  ['method', { method: 'manual' }],
  ['categories.0.name', { categories: [{ ...tag, name: '  ' }] }],
  ['categories.0.description', { categories: [{ ...tag, description: 'x'.repeat(39) }] }],
])('are refused with the field at fault: %s', async (field, more) => {
  const ann = await test.person(`refused-${JSON.stringify(more).length}-${field}`)
  const answer = await test.call('POST', '/api/user/update-settings', { as: ann, payload: { ...settings, ...more } })
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json().fields)).toEqual([field])
})

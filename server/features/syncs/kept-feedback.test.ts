import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 12
let ann: TestPerson

const app = duringTests(() => startSyncApp(smallCompany(MESSAGES)))
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  while (await app.sync(ann));
})

const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, as = ann) => {
  const answer = await app.test.call(method, path, { as })
  return { status: answer.statusCode, body: answer.json() }
}
const kept = async () => (await call('GET', '/api/kept-feedback')).body.sources
const disconnect = () => call('POST', '/api/slack/disconnect')

it('is listed once the source is disconnected, and stays until someone deletes it', async () => {
  expect(await kept()).toEqual([])
  await disconnect()
  const [source, ...others] = await kept()
  expect(others).toEqual([])
  expect(source).toMatchObject({ tile: 'slack', label: 'Slack', name: 'Tallybrook', messages: MESSAGES })
  expect(Math.abs(Date.parse(source.disconnected_at) - Date.now())).toBeLessThan(60_000)
  expect(await app.items(ann)).toHaveLength(MESSAGES)

  expect(await call('DELETE', `/api/kept-feedback/${source.id}`)).toEqual({ status: 200, body: { removed: MESSAGES } })
  expect(await app.items(ann)).toEqual([])
  expect(await kept()).toEqual([])
})

it('is read again from the beginning when the same account is connected again', async () => {
  const { id } = await app.connection(ann)
  await disconnect()
  await call('DELETE', `/api/kept-feedback/${id}`)
  await app.connect(ann)
  expect((await app.connection(ann)).id).toBe(id)
  while (await app.sync(ann));
  expect(await app.items(ann)).toHaveLength(MESSAGES)
})

it('is that of a disconnected source only', async () => {
  const { id } = await app.connection(ann)
  expect((await call('DELETE', `/api/kept-feedback/${id}`)).status).toBe(404)
  expect((await call('DELETE', `/api/kept-feedback/${randomUUID()}`)).status).toBe(404)
  expect(await app.items(ann)).toHaveLength(MESSAGES)
})

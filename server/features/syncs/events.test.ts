import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { syncJobs } from './jobs.ts'
import { type SyncApp, smallCompany, startSyncApp } from './testing.ts'

let app: SyncApp
let ann: TestPerson

beforeAll(async () => {
  app = await startSyncApp(smallCompany(8))
  await app.test.app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.test.app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  app.slack.sendEventsTo(`http://127.0.0.1:${address.port}/api/slack/events`)
  const hooks = { stored: async () => undefined }
  for (const worker of syncJobs(app.test.services, hooks)) await app.test.services.queue.work(worker)
})
afterAll(() => app.cleanup())
beforeEach(async () => {
  if (ann) await app.test.call('POST', '/api/slack/disconnect', { as: ann })
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  await vi.waitUntil(async () => (await app.tile(ann))?.status === 'connected', { timeout: 300_000, interval: 50 })
})

const texts = async (as = ann) => (await app.items(as)).map(({ text }) => text)
const say = () => {
  const text = `Live words ${randomUUID()}`
  return { text, ts: app.slack.post({ channel: 'general', author: 'Person 1', text }) }
}
const eventCount = (as: TestPerson) =>
  inWorkspace(app.test.services.db, as.workspaceId, async (tx) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from provider_event`.execute(tx)
    return Number(rows[0]?.count)
  })

it('a message arrives live; so do its edit and its deletion', async () => {
  const { ts, text } = say()
  await expect.poll(() => texts()).toContain(text)
  app.slack.edit(ts, `${text}, edited`)
  await expect.poll(() => texts()).toContain(`${text}, edited`)
  expect(await texts()).not.toContain(text)
  app.slack.remove(ts)
  await expect.poll(() => texts()).not.toContain(`${text}, edited`)
})

it('a doubled event and a replayed one are stored once', async () => {
  app.slack.eventFault('twice')
  const { text } = say()
  await app.slack.events.settled()
  expect(await app.slack.events.replay()).toBe(200)
  await expect.poll(() => texts()).toContain(text)
  expect((await texts()).filter((one) => one === text)).toHaveLength(1)
  expect(await eventCount(ann)).toBe(1)
})

it.each(['forged', 'late'] as const)(
  'a %s event is refused, and the next sync finds what it was about',
  async (fault) => {
    app.slack.eventFault(fault)
    const { text } = say()
    await app.slack.events.settled()
    expect(await app.slack.events.replay()).toBe(403)
    expect(await eventCount(ann)).toBe(0)
    expect(await texts()).not.toContain(text)
    await app.begin(ann)
    await expect.poll(() => texts()).toContain(text)
  },
)

it('the address is confirmed to the provider, in its own form', async () => {
  const answer = await app.slack.events.request({ type: 'url_verification', challenge: 'abc123' })
  expect(answer).toEqual({ status: 200, body: 'abc123' })
})

it('an app of one workspace speaks for that workspace only', async () => {
  const bob = await app.test.person(randomUUID())
  const payload = { client_id: '1.2', client_secret: 'other-secret', signing_secret: app.slack.signingSecret }
  await app.test.call('POST', '/api/slack/authorize', { as: bob })
  await app.connect(bob)
  const saved = await app.test.call('PUT', '/api/slack/app', { as: bob, payload })
  expect(saved.statusCode).toBe(200)
  const { text } = say()
  await expect.poll(() => texts(bob)).toContain(text)
  await app.slack.events.settled()
  expect(await eventCount(ann)).toBe(0)
  await app.test.call('POST', '/api/slack/disconnect', { as: bob })
  await inWorkspace(app.test.services.db, bob.workspaceId, (tx) => sql`delete from provider_app`.execute(tx))
})

it('two events about one message keep their order though the first has to be tried again', async () => {
  const { ts, text } = say()
  await expect.poll(() => texts()).toContain(text)
  app.slack.workspace.add({ channel: 'general', author: `Stranger ${randomUUID()}`, text: 'Hello' })
  app.slack.fault('500', 1, 'users.info')
  app.slack.post({ channel: 'general', author: `Newcomer ${randomUUID()}`, text: `From somebody new ${text}` })
  app.slack.edit(ts, `${text}, edited`)
  await expect.poll(() => texts()).toContain(`${text}, edited`)
  expect(await texts()).toContain(`From somebody new ${text}`)
})

it('the end of the sign-in is shown on the tile, and nothing is read any more', async () => {
  app.slack.revoke('app_uninstalled')
  await expect.poll(async () => (await app.tile(ann))?.status).toBe('na')
  expect(await app.tile(ann)).toMatchObject({ error: 'The app was removed from Slack. Connect again' })
})

it.each([
  ['POST', '/api/webhook/events', 422],
  ['POST', '/api/nothing/events', 404],
  ['POST', '/api/slack/events', 403],
  ['GET', '/api/slack/events', 403],
] as const)('%s %s without a proof is refused', async (method, url, status) => {
  expect((await app.test.call(method, url, {})).statusCode).toBe(status)
})

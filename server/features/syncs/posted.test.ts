import { decide } from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { type SyncApp, startSyncApp } from './testing.ts'

let app: SyncApp
let person: TestPerson

beforeAll(async () => {
  app = await startSyncApp([])
  person = await app.test.person('ann')
})
afterAll(() => app.cleanup())

async function allowPosting(): Promise<void> {
  const { clientId: client_id, clientSecret: client_secret } = app.slack.postingApp
  await app.test.call('PUT', '/api/posting/slack/app', { as: person, payload: { client_id, client_secret } })
  const started = await app.test.call('POST', '/api/posting/slack/authorize', { as: person })
  const payload = Object.fromEntries((await decide(started.json().url)).back.searchParams)
  await app.test.call('POST', '/api/posting/slack/oauth', { as: person, payload })
}

it('what was posted with the second sign-in is not read as feedback, whichever sign-in came first', async () => {
  await allowPosting()
  app.slack.post({ channel: 'room', author: 'Eve', text: 'The export fails' })
  const { bot, channel } = { bot: 'B0GSPOSTS', channel: 'room' }
  app.slack.post({ channel, author: 'Groundswell', text: 'A digest', bot })
  await app.connect(person)
  await app.sync(person)
  expect((await app.items(person)).map(({ text }) => text)).toEqual(['The export fails'])
})

it('the sign-in of the tile has its own credentials, and keeps them when posting is allowed or ended', async () => {
  const before = (await app.connection(person)).sealedSecrets
  await allowPosting()
  await app.test.call('GET', '/api/connectors', { as: person })
  expect((await app.connection(person)).sealedSecrets).toBe(before)
})

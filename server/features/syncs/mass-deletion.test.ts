import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { startSyncApp } from './testing.ts'

const MESSAGES = 40
let ann: TestPerson
let posted: string[]

const app = duringTests(() => startSyncApp([]))
beforeEach(async () => {
  for (const { ts } of app.slack.workspace.all()) app.slack.workspace.remove(ts)
  posted = Array.from(
    { length: MESSAGES },
    (_, index) => app.slack.workspace.add({ channel: 'general', author: 'Ann', text: `The export fails ${index}` }).ts,
  )
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  await app.sync(ann)
})

const stored = async () => (await app.items(ann)).map(({ externalId }) => externalId.split(':')[2] ?? '').sort()
/** One run of a sync; what it reports when it has to run again. */
const run = (given = {}) => app.sync(ann, given).catch((error: { kind: string }) => error.kind)
const error = async () => (await app.tile(ann))?.error

it('a channel that is once listed as empty loses nothing, and the tile shows why', async () => {
  await app.begin(ann)
  app.slack.fault('no-messages', 1, 'conversations.history')
  expect([true, 'unavailable']).toContain(await run())
  expect(await stored()).toEqual(posted)
  expect(await error()).toBe('The provider no longer lists 40 of 40 items that were read before. It is retried.')
  expect(await run()).toBe(false)
  expect(await stored()).toEqual(posted)
  expect(await app.tile(ann)).toMatchObject({ status: 'connected', error: null })
})

it('most of a channel is removed once it is missing a second time', async () => {
  for (const ts of posted.slice(0, 25)) app.slack.workspace.remove(ts)
  await app.begin(ann)
  expect([true, 'unavailable']).toContain(await run())
  expect(await stored()).toEqual(posted)
  expect(await run()).toBe(false)
  expect(await stored()).toEqual(posted.slice(25))
  expect(await error()).toBeNull()
})

it('the second reading may lack a few more than the first', async () => {
  for (const ts of posted.slice(0, 25)) app.slack.workspace.remove(ts)
  await app.begin(ann)
  await run()
  app.slack.workspace.remove(posted[25] ?? '')
  expect(await run()).toBe(false)
  expect(await stored()).toEqual(posted.slice(26))
})

it('a sync that is cancelled in between reads the page again the next time', async () => {
  await app.begin(ann)
  app.slack.fault('no-messages', 1, 'conversations.history')
  await run()
  await app.test.call('POST', '/api/slack/cancel', { as: ann })
  app.slack.workspace.remove(posted[3] ?? '')
  await app.begin(ann)
  expect(await run()).toBe(false)
  expect(await stored()).toEqual(posted.filter((ts) => ts !== posted[3]))
})

it('up to half of a channel is removed at once', async () => {
  for (const ts of posted.slice(0, 20)) app.slack.workspace.remove(ts)
  await app.begin(ann)
  expect(await run()).toBe(false)
  expect(await stored()).toEqual(posted.slice(20))
})

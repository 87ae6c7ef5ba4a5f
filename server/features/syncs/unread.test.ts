import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { readSync, stepSync } from './sync-state-store.ts'
import { smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 24
let ann: TestPerson

const app = duringTests(() => startSyncApp(smallCompany(MESSAGES)))
beforeEach(async () => {
  app.slack.limit({ perMinute: null, objects: 100 })
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
})

const run = () => app.sync(ann).catch((error: unknown) => error)

it('an item that always fails is on the tile with its reason and link, everything else is read, and then it is', async () => {
  app.slack.fault('500', 3, 'conversations.replies')
  // Each try is stored, so that another worker counts on.
  for (let tries = 0; tries < 2; tries += 1) {
    await run()
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', set_aside: { items: [], more: 0 } })
  }
  for (let runs = 0; runs < 5 && (await app.tile(ann))?.status === 'syncing'; runs += 1) await run()
  expect(await app.tile(ann)).toMatchObject({
    status: 'connected',
    error: null,
    messages: MESSAGES - 1,
    set_aside: {
      items: [
        {
          noun: 'thread',
          label: expect.stringMatching(/^#\w+$/) as string,
          link: expect.stringMatching(/^https:\/\/.+\/archives\//) as string,
          reason: expect.stringMatching(/^Slack answered 500/) as string,
        },
      ],
      more: 0,
    },
  })
  // It is not read again before its pause is over.
  await app.begin(ann)
  await run()
  expect(await app.tile(ann)).toMatchObject({ set_aside: { items: [{ noun: 'thread' }] } })
  app.test.services.now = () => new Date(Date.now() + 20 * 60_000)
  await app.begin(ann)
  await run()
  expect(await app.tile(ann)).toMatchObject({ messages: MESSAGES, set_aside: { items: [], more: 0 } })
  app.test.services.now = () => new Date()
})

it('messages with attachments only are counted once each, however often they are read, and at most 1,000 are remembered', async () => {
  const { id, step, cursor } = await app.connection(ann)
  const { db, now } = app.test.services
  let at = step
  const store = (attachmentOnly: string[]) =>
    inWorkspace(db, ann.workspaceId, async (tx) => {
      const ref = { workspaceId: ann.workspaceId, id, step: at }
      at = (await stepSync(tx, ref, { cursor, read: 0, attachmentOnly }, now())) ?? -1
      return (await readSync(tx, ann.workspaceId, id))?.step
    })
  await store(['a', 'b'])
  await store(['b', 'c'])
  await store([])
  expect(await app.tile(ann)).toMatchObject({ attachment_only: 3 })
  await store(Array.from({ length: 1500 }, (_, index) => `m${index}`))
  expect(await app.tile(ann)).toMatchObject({ attachment_only: 1000 })
})

// The last one: faults that are left over would meet the sign-in of the next.
it('nothing is set aside while the provider is down', async () => {
  app.slack.fault('500', 40)
  for (let runs = 0; runs < 8; runs += 1) await run()
  expect(await app.tile(ann)).toMatchObject({
    status: 'syncing',
    error: expect.stringContaining('Slack') as string,
    messages: null,
  })
})

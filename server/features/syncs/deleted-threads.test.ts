import { randomUUID } from 'node:crypto'
import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { beforeEach, expect, test } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { applyEvent, applyPage } from './apply-changes.ts'
import { smallCompany, startSyncApp } from './testing.ts'

let ann: TestPerson
let target: { workspaceId: string; id: string }

const app = duringTests(() => startSyncApp(smallCompany(1)))
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  target = await app.connection(ann)
})

const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(app.test.services.db, ann.workspaceId, work)
const noneNewer = { newer: new Set<string>(), doubted: new Set<string>() }
const page = (items: FeedbackItem[], deletedThreads: string[] = []) =>
  inOwn((tx) => applyPage(tx, target, { items, deleted: [], deletedThreads, complete: [] }, noneNewer))
const event = (items: FeedbackItem[], deletedThreads: string[] = []) =>
  inOwn((tx) => applyEvent(tx, target, { items, deleted: [], deletedThreads }))
const stored = async () => (await app.items(ann)).map(({ externalId }) => externalId)

function item(externalId: string, thread: string, role: 'customer' | 'agent' = 'customer'): FeedbackItem {
  return {
    externalId,
    text: `Message ${externalId}`,
    author: null,
    at: new Date(),
    link: null,
    thread,
    place: null,
    role,
  }
}
const conversation = [item('1', 'a'), item('2', 'a', 'agent'), item('3', 'a'), item('4', 'b')]

test('a page that reports a deleted conversation removes all of it and nothing else', async () => {
  await page(conversation)
  expect(await page([], ['a'])).toBe(true)
  expect(await stored()).toEqual(['4'])
  expect(await page([], ['a', 'unknown'])).toBe(false)
})

test('an event that reports one does too, and a conversation that is restored comes back', async () => {
  await page(conversation)
  const { touched, changed } = await event([], ['a'])
  expect([touched.sort(), changed]).toEqual([['1', '2', '3'], true])
  await page([item('1', 'a'), item('3', 'a')])
  expect((await stored()).sort()).toEqual(['1', '3', '4'])
})

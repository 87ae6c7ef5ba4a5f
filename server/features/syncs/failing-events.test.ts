import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { oldestEvent, storeEvent } from './event-store.ts'
import { handleEvents } from './handle-events.ts'
import { type SyncApp, smallCompany, startSyncApp } from './testing.ts'

let app: SyncApp
let ann: TestPerson
let channel: string

beforeAll(async () => {
  app = await startSyncApp(smallCompany(8))
  channel = app.slack.workspace.room('general').id
})
afterAll(() => app.cleanup())
beforeEach(async () => {
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
  await app.sync(ann)
})

let second = 0
/** An event about a message of somebody whose name is asked for. */
async function arrives(text: string): Promise<void> {
  second += 1
  const { user, ts } = app.slack.workspace.add({ channel: 'general', author: `Newcomer ${randomUUID()}`, text })
  // Only its event tells of it, not a sync.
  app.slack.workspace.remove(ts)
  const { workspaceId, id } = await app.connection(ann)
  const payload = { type: 'message', user, ts: `1772366400.${String(second).padStart(6, '0')}`, text, channel }
  const stored = { id: `${String(second).padStart(6, '0')}-${randomUUID()}`, payload }
  await inWorkspace(app.test.services.db, workspaceId, (tx) => storeEvent(tx, workspaceId, id, stored))
}

/** One run of the job, at this attempt. */
async function run(attempt: number, stored: () => void = () => undefined): Promise<unknown> {
  const { services } = app.test
  const { workspaceId, id } = await app.connection(ann)
  const job = { attempt, signal: new AbortController().signal, log: services.log }
  return handleEvents(services, workspaceId, id, { stored: async () => stored() }, job).then(
    () => 'done',
    (error: { kind?: string }) => error.kind,
  )
}

const fails = (times: number) => app.slack.fault('500', times, 'users.info')
const has = async (text: string) => (await app.items(ann)).some((item) => item.text === text)
async function waits(): Promise<boolean> {
  const { workspaceId, id } = await app.connection(ann)
  return (await inWorkspace(app.test.services.db, workspaceId, (tx) => oldestEvent(tx, workspaceId, id))) !== null
}

describe('an event whose handling fails', () => {
  it('is tried twice before a later one, and then the later ones are handled first', async () => {
    await arrives('of the bad one')
    await arrives('of the good one')
    for (const attempt of [1, 2]) {
      fails(1)
      expect(await run(attempt)).toBe('unavailable')
      expect(await has('of the good one')).toBe(false)
    }
    fails(1)
    expect(await run(3)).toBe('done')
    expect([await has('of the good one'), await has('of the bad one'), await waits()]).toEqual([true, true, false])
  })

  it('and fails again, while others are handled, is left to the next sync', async () => {
    await arrives('of the bad one')
    await arrives('of the good one')
    fails(1)
    expect(await run(3, () => fails(1))).toBe('done')
    expect([await has('of the good one'), await has('of the bad one'), await waits()]).toEqual([true, false, false])
  })

  it('waits, as all others do, while the provider is down', async () => {
    for (const text of ['one', 'two', 'three']) await arrives(text)
    fails(3)
    expect(await run(10)).toBe('unavailable')
    expect(await run(1)).toBe('done')
    expect([await has('one'), await has('two'), await has('three'), await waits()]).toEqual([true, true, true, false])
  })

  it('waits while the provider asks for a pause, and no later one is tried', async () => {
    await arrives('one')
    await arrives('two')
    app.slack.fault('ratelimited', 1, 'users.info')
    const calls = () => app.slack.calls().filter(({ method }) => method === 'users.info').length
    const before = calls()
    expect(await run(10)).toBe('rate-limited')
    expect(calls()).toBe(before + 1)
    expect(await waits()).toBe(true)
  })
})

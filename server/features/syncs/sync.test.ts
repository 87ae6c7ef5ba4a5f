import { randomUUID } from 'node:crypto'
import { holdAnswers } from '@groundswell/connectors/kit/testing.ts'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { storeEvent } from './event-store.ts'
import { handleEvents } from './handle-events.ts'
import { smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 90
let ann: TestPerson

const app = duringTests(() => startSyncApp(smallCompany(MESSAGES)))
beforeEach(async () => {
  app.slack.limit({ perMinute: null, objects: 8 })
  ann = await app.test.person(randomUUID())
  await app.connect(ann)
})

const whole = () =>
  app.slack.workspace
    .all()
    .map(({ text }) => text)
    .sort()
const texts = async () => (await app.items(ann)).map(({ text }) => text).sort()

describe('a sync', () => {
  it('starts automatically, reads everything once, and shows when', async () => {
    expect(await app.tile(ann)).toMatchObject({ status: 'syncing', name: 'Tallybrook', error: null })
    expect(await app.sync(ann)).toBe(false)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({
      status: 'connected',
      progress: { read: MESSAGES },
      incomplete: null,
      last_sync: expect.any(String),
    })
  })

  it('again brings only what is new', async () => {
    await app.sync(ann)
    app.slack.workspace.add({ channel: 'general', author: 'Person 1', text: `New ${randomUUID()}` })
    await app.begin(ann)
    await app.sync(ann)
    expect(await texts()).toEqual(whole())
  })

  it('killed at 30 random moments and resumed has the same set, nothing twice', async () => {
    let kills = 0
    for (; kills < 30; kills += 1) {
      const stop = new AbortController()
      let left = Math.floor(Math.random() * 3)
      const die = async () => {
        if (left > 0) left -= 1
        else if (Math.random() < 0.5) stop.abort(new Error('killed'))
        else throw new Error('killed')
      }
      await app.sync(ann, { signal: stop.signal }, die).catch(() => undefined)
      if ((await app.connection(ann)).status !== 'syncing') break
    }
    expect(kills).toBeGreaterThan(3)
    if ((await app.connection(ann)).status === 'syncing') await app.sync(ann)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', progress: { read: whole().length } })
  })

  it('is stored by one of two readers that begin at the same step', async () => {
    await Promise.all([app.sync(ann), app.sync(ann)])
    while ((await app.connection(ann)).status === 'syncing') await app.sync(ann)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({ progress: { read: whole().length } })
  })

  it('is cancelled between two pages, and resumes from there', async () => {
    let pages = 0
    let cancelled: Promise<unknown> | undefined
    await app.sync(ann, {}, async () => {
      pages += 1
      if (pages === 2) cancelled = app.test.call('POST', '/api/slack/cancel', { as: ann })
    })
    await cancelled
    const { status } = await app.connection(ann)
    if (status === 'idle' && (await texts()).length < whole().length) await app.begin(ann)
    await app.sync(ann)
    expect(await texts()).toEqual(whole())
  })

  it('does nothing once it was cancelled before it ran', async () => {
    const answer = await app.test.call('POST', '/api/slack/cancel', { as: ann })
    expect(answer.json().message).toBe('The sync stops after the current page')
    await app.sync(ann)
    expect(await app.items(ann)).toEqual([])
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', last_sync: null })
  })
})

it('a page that was asked for before an event does not bring back what the event removed', async () => {
  await app.sync(ann)
  const { workspaceId } = ann
  const { id } = await app.connection(ann)
  const { services } = app.test
  const text = `Soon gone ${randomUUID()}`
  const { ts, channel } = app.slack.workspace.add({ channel: 'general', author: 'Person 1', text })
  await app.begin(ann)
  await using front = await holdAnswers(app.slack.url, 'conversations.history')
  services.config.baseUrls = { slack: front.url }
  onTestFinished(() => {
    services.config.baseUrls = { slack: app.slack.url }
  })
  let ended = false
  const syncing = app.sync(ann).finally(() => {
    ended = true
  })
  await Promise.race([front.asked, syncing])
  const payload = { type: 'message', subtype: 'message_deleted', channel, deleted_ts: ts }
  await inWorkspace(services.db, workspaceId, (tx) => storeEvent(tx, workspaceId, id, { id: 'Ev1', payload }))
  const run = { attempt: 1, signal: new AbortController().signal, log: services.log }
  await handleEvents(services, workspaceId, id, { stored: async () => undefined }, run)
  expect(ended).toBe(false)
  front.release()
  await syncing
  expect(await texts()).not.toContain(text)
  app.slack.workspace.remove(ts)
})

describe('a fault', () => {
  it.each([
    ['429', 7],
    ['429-bare', 60],
    ['ratelimited', 9],
  ] as const)('%s waits %d seconds through the queue, and the tile shows it', async (fault, seconds) => {
    // Without this, a slow machine waits out the seconds between two lines.
    app.test.time.stoppedAt = Date.now()
    onTestFinished(() => {
      app.test.time.stoppedAt = undefined
    })
    app.slack.fault(fault, 1, 'conversations.history')
    await expect(app.sync(ann)).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: seconds })
    const tile = await app.tile(ann)
    expect(tile).toMatchObject({ status: 'syncing', error: null, waiting_until: expect.any(String) })
    const calls = app.slack.calls().length
    await expect(app.sync(ann)).rejects.toMatchObject({ kind: 'rate-limited' })
    expect(app.slack.calls()).toHaveLength(calls)
    app.test.time.passMs += seconds * 1000
    await app.sync(ann)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', waiting_until: null })
  })

  it.each([
    '500',
    'internal_error',
    'reset',
    'cut',
    'malformed',
    'html',
    'truncated',
    'wrong-types',
    'missing-fields',
  ] as const)('%s is shown on the tile, retried, and nothing is lost', async (fault) => {
    app.slack.fault(fault, 1, 'conversations.history')
    const more = await app.sync(ann).catch((error: { kind: string }) => error.kind)
    expect([true, 'unavailable']).toContain(more)
    const tile = await app.tile(ann)
    expect(tile).toMatchObject({
      status: 'syncing',
      error: expect.stringMatching(/Slack|127\.0\.0\.1.*\. It is retried\.$/),
    })
    expect(tile?.error).not.toContain('customer words')
    await app.sync(ann)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', error: null })
  })

  it('that does not pass ends the sync with the reason; the next one resumes', async () => {
    app.slack.fault('500', 1, 'conversations.list')
    expect(await app.sync(ann, { lastAttempt: true })).toBe(false)
    expect(await app.tile(ann)).toMatchObject({
      status: 'connected',
      error: expect.stringContaining('The next sync resumes where this one stopped.'),
    })
    await app.begin(ann)
    await app.sync(ann)
    expect(await texts()).toEqual(whole())
  })

  it('of the sign-in asks to connect again; what was read stays, and the same account resumes', async () => {
    const before = await app.connection(ann)
    let pages = 0
    await app.sync(ann, {}, async () => {
      pages += 1
      if (pages === 3) app.slack.fault('revoked')
    })
    const read = (await app.items(ann)).length
    expect(read).toBeGreaterThan(0)
    expect(await app.tile(ann)).toMatchObject({ status: 'na', error: expect.stringMatching(/connect again/i) })
    const user = (await app.test.call('GET', '/api/user/user-data', { as: ann })).json()
    expect(user.slack_data).toBeNull()
    const refused = await app.test.call('POST', '/api/slack/sync', { as: ann })
    expect(refused.json()).toMatchObject({ code: 'not_configured' })
    await app.connect(ann)
    await app.sync(ann)
    expect((await app.connection(ann)).id).toBe(before.id)
    expect(await texts()).toEqual(whole())
    expect(await app.tile(ann)).toMatchObject({ status: 'connected', error: null })
  })
})

it('disconnected and connected again by the same account, everything is still there once', async () => {
  await app.sync(ann)
  const { id } = await app.connection(ann)
  await app.test.call('POST', '/api/slack/disconnect', { as: ann })
  expect(await app.tile(ann)).toBeNull()
  await app.connect(ann)
  await app.sync(ann)
  expect((await app.connection(ann)).id).toBe(id)
  expect(await texts()).toEqual(whole())
})

it('writes no secret and no customer text into the log', async () => {
  app.slack.fault('wrong-types', 1, 'conversations.history')
  await app.sync(ann).catch(() => undefined)
  const log = app.lines.join('')
  expect(log).toContain('a sync was interrupted')
  expect(log).not.toMatch(/xoxb-|sandbox-client-secret|sandbox-signing-secret|export number|customer words/)
})

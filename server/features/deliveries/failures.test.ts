import { AppRefused, AuthExpired } from '@groundswell/connectors/kit/errors.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sweepDeliveries } from './jobs.ts'
import { deliver } from './send.ts'
import { ascending, eachWithReceiver, receiver, workspace, world } from './testing.ts'

eachWithReceiver(() => world.connect(workspace, receiver.url))

const first = async () => (await world.deliveries(workspace))[0] as Record<string, unknown>

test.each([
  ['500', 500, /returned 500/],
  ['a redirect', 302, /redirect/],
  ['429', 429, /too many/],
])('a receiver that replies %s is retried, and the ledger shows it', async (_name, status, words) => {
  receiver.answer = (response, count) => {
    if (count === 1) response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('not today')
    else response.writeHead(200).end('thanks')
  }
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const failed = await first()
  expect(failed).toMatchObject({ state: 'waiting', attempts: 1, last_status: status })
  expect(failed.last_error).toMatch(words)
  const wait = Date.parse(String(failed.next_attempt_at)) - world.now.getTime()
  expect(wait).toBeGreaterThanOrEqual(4_000)
  expect(wait).toBeLessThanOrEqual(6_000)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
  world.later(1)
  await world.work(workspace)
  const done = await first()
  expect(done).toMatchObject({ state: 'delivered', attempts: 2, last_status: 200, last_error: null })
  expect(await world.attempts(workspace, done.id)).toMatchObject([
    { number: 1, status, answer: 'not today' },
    { number: 2, status: 200, answer: 'thanks', error: null },
  ])
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
})

test.each([
  ['{"errors":[{"field":"title","message":"is too long"}],"code":7}', 'is too long'],
  ['<html><head><title>Bad Gateway</title></head></html>', 'Bad Gateway'],
])('what a receiver says to a refusal is shown as a sentence: %s', async (body, sentence) => {
  receiver.answer = (response) => response.writeHead(400).end(body)
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const shown = `The endpoint returned 400 instead of 2xx. It said: ${sentence}`
  const { id, last_error } = await first()
  expect(last_error).toBe(shown)
  expect(await world.attempts(workspace, id)).toMatchObject([{ error: shown, answer: body }])
  const listed = await world.call(workspace, 'GET', `/api/deliveries/${String(id)}`)
  expect(listed.body).toMatchObject({ delivery: { last_error: shown } })
  receiver.answer = (response) => response.socket?.destroy()
  world.later(1)
  await world.work(workspace)
  expect((await first()).last_error).not.toContain(sentence)
})

test('a reset connection and a call that is cut off are tried again', async () => {
  receiver.answer = (response) => response.socket?.destroy()
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  expect(await first()).toMatchObject({ state: 'waiting', attempts: 1, last_status: null })
  receiver.answer = () => stop.abort()
  const stop = new AbortController()
  world.later(1)
  const { id } = await first()
  await deliver(world.services, { workspaceId: workspace, deliveryId: String(id), attempts: 1 }, stop.signal)
  const hung = await first()
  expect(hung).toMatchObject({ state: 'waiting', attempts: 2, last_status: null })
  expect(hung.last_error).toEqual(expect.any(String))
  receiver.answer = (response) => response.writeHead(200).end()
  world.later(10)
  await world.work(workspace)
  expect(await first()).toMatchObject({ state: 'delivered', attempts: 3 })
})

test('410 pauses the destination; what waits goes out after it is resumed', async () => {
  receiver.answer = (response, count) => response.writeHead(count === 1 ? 410 : 200).end()
  await world.say(workspace, 1, 3)
  await world.say(workspace, 2, 3)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
  const states = await world.deliveries(workspace)
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['failed', 'waiting']))
  await world.say(workspace, 3, 3)
  expect(
    (await world.deliveries(workspace))
      .map(({ state, waits_for }) => `${String(state)} ${String(waits_for)}`)
      .toSorted(),
  ).toEqual(['failed null', 'waiting paused', 'waiting paused'])
  const refused = await world.call(workspace, 'POST', '/api/insights/3/push', {})
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const resumed = await world.call(workspace, 'PATCH', '/api/webhook/connection', { paused: false })
  expect(resumed).toMatchObject({ status: 200, body: { paused: false } })
  await world.work(workspace)
  expect(ascending(receiver.received.map(({ payload }) => payload.data.insight.issue_number))).toEqual([1, 2, 3])
})

test('when the schedule has ended the delivery has failed, and running the dead job again tries it once more', async () => {
  receiver.answer = (response) => response.writeHead(503).end()
  await world.say(workspace, 1, 3)
  let failures: Error[] = []
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect(failures).toEqual([])
    failures = await world.work(workspace)
    world.later(2 * 24 * 60)
  }
  expect(failures).toMatchObject([{ kind: 'rejected' }])
  expect(await first()).toMatchObject({ state: 'failed', attempts: 10, next_attempt_at: null })
  receiver.answer = (response) => response.writeHead(200).end()
  const { id } = await first()
  const { signal } = new AbortController()
  await deliver(world.services, { workspaceId: workspace, deliveryId: String(id), attempts: 3 }, signal)
  expect(await first()).toMatchObject({ state: 'failed' })
  await deliver(world.services, { workspaceId: workspace, deliveryId: String(id), attempts: 9 }, signal)
  expect(await first()).toMatchObject({ state: 'delivered', attempts: 11 })
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)
})

test('a receiver that asks for a pause is never given up on, however often it asks', async () => {
  receiver.answer = (response) => response.writeHead(429).end()
  await world.say(workspace, 1, 3)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 15; attempt += 1) {
    expect(await world.work(workspace)).toEqual([])
    const { state, next_attempt_at } = await first()
    expect(state).toBe('waiting')
    waits.push((Date.parse(String(next_attempt_at)) - world.now.getTime()) / 1000)
    world.later(2 * 60)
  }
  expect(waits[0]).toBeLessThanOrEqual(1.2 * 5)
  expect(Math.max(...waits)).toBeLessThanOrEqual(1.2 * 3600)
  expect(waits.at(-1)).toBeGreaterThanOrEqual(0.8 * 3600)
  // From here on the whole schedule is still ahead of it: ten failures that count.
  receiver.answer = (response) => response.writeHead(503).end()
  for (let failure = 1; failure <= 9; failure += 1) {
    expect(await world.work(workspace)).toEqual([])
    expect(await first()).toMatchObject({ state: 'waiting', waits_for: 'retry' })
    world.later(2 * 24 * 60)
  }
  expect(await world.work(workspace)).toMatchObject([{ kind: 'rejected' }])
  expect(await first()).toMatchObject({ state: 'failed', attempts: 25 })
})

test.each([
  ['keeps failing', 503, 10],
  ['is gone', 410, 1],
])('a delivered event stays delivered when the receiver of its replay %s', async (_name, status, most) => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const delivered = await first()
  expect(delivered).toMatchObject({ state: 'delivered', last_error: null })
  receiver.answer = (response) => response.writeHead(status).end()
  await world.call(workspace, 'POST', `/api/deliveries/${String(delivered.id)}/replay`, {})
  expect(await first()).toMatchObject({ state: 'delivered', again: 'waiting', waits_for: 'due' })
  const seen: Record<string, unknown>[] = []
  for (let attempt = 1; attempt <= most; attempt += 1) {
    expect(await world.work(workspace)).toEqual([])
    seen.push(await first())
    world.later(2 * 24 * 60)
  }
  expect(new Set(seen.map(({ state }) => state))).toEqual(new Set(['delivered']))
  const words = seen.map(({ again, waits_for, last_error }) => [again, waits_for, last_error])
  const error = expect.stringContaining(String(status))
  expect(words[0]).toEqual(most === 1 ? ['failed', null, error] : ['waiting', 'retry', error])
  expect(await first()).toMatchObject({
    state: 'delivered',
    again: 'failed',
    delivered_at: delivered.delivered_at,
    next_attempt_at: null,
    last_status: status,
    last_error: expect.stringContaining(String(status)),
  })
  expect((await world.attempts(workspace, delivered.id)).at(-1)).toMatchObject({ status })
})

test('a replay that is being sent, or waits for a lost sign-in, leaves the event delivered', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const { id } = await first()
  await world.call(workspace, 'POST', `/api/deliveries/${String(id)}/replay`, {})
  const seen: unknown[] = []
  await world.work(workspace, async () => {
    seen.push(await first())
    throw new AuthExpired('The sign-in was revoked')
  })
  expect(seen).toMatchObject([{ state: 'delivered', again: 'sending' }])
  expect(await first()).toMatchObject({
    state: 'delivered',
    again: 'waiting',
    waits_for: 'signed-out',
    last_error: 'The sign-in was revoked',
  })
  await world.connect(workspace, receiver.url)
  await world.work(workspace)
  expect(await first()).toMatchObject({ state: 'delivered', again: null, last_error: null })
})

test('a replay that waits when its destination is disconnected leaves the event delivered', async () => {
  await world.say(workspace, 1, 3)
  await world.work(workspace)
  const { id } = await first()
  await world.call(workspace, 'POST', `/api/deliveries/${String(id)}/replay`, {})
  await world.call(workspace, 'POST', '/api/webhook/disconnect', {})
  await sweepDeliveries(world.services)
  expect(await first()).toMatchObject({
    state: 'delivered',
    again: 'failed',
    next_attempt_at: null,
    last_error: 'The destination was disconnected before this was sent',
  })
})

const tile = async () => {
  const { body } = await world.call(workspace, 'GET', '/api/connectors')
  const tiles = body.connectors as { manifest: { id: string }; connection: Record<string, unknown> | null }[]
  return tiles.find(({ manifest }) => manifest.id === 'webhook')?.connection
}

test('where the sign-in is lost everything waits for it, and goes out when it is back: nothing is held', async () => {
  await world.say(workspace, 1, 3)
  const lost = async () => {
    throw new AuthExpired('The sign-in was revoked')
  }
  expect(await world.work(workspace, lost)).toEqual([])
  expect(await first()).toMatchObject({ state: 'waiting', waits_for: 'signed-out', next_attempt_at: null, attempts: 1 })
  expect(await tile()).toMatchObject({ status: 'na', error: 'The sign-in was revoked' })
  await world.say(workspace, 2, 3)
  await sweepDeliveries(world.services)
  await world.work(workspace)
  expect(receiver.received).toEqual([])
  expect(await world.call(workspace, 'POST', '/api/insights/2/push', {})).toMatchObject({ status: 409 })
  await world.connect(workspace, receiver.url)
  expect((await world.call(workspace, 'GET', '/api/deliveries/held')).body.held).toEqual([])
  await world.work(workspace)
  expect(ascending(receiver.received.map(({ payload }) => payload.data.insight.issue_number))).toEqual([1, 2])
  expect(await tile()).toMatchObject({ status: 'connected', error: null })
})

test('where the provider does not accept the app nothing is given up, and nobody has to connect again', async () => {
  await world.say(workspace, 1, 3)
  const refused = async () => {
    throw new AppRefused('The secret of the app is wrong')
  }
  for (let round = 1; round <= 12; round += 1) {
    expect(await world.work(workspace, refused)).toEqual([])
    expect(await first()).toMatchObject({ state: 'waiting', waits_for: 'retry', attempts: round })
    expect(await tile()).toMatchObject({ status: 'connected', error: 'The secret of the app is wrong' })
    world.later(48 * 60)
  }
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
  expect(await first()).toMatchObject({ state: 'delivered' })
  expect(await tile()).toMatchObject({ status: 'connected', error: null })
})

test('secrets that cannot be opened are reported on the tile, and what waits is sent once it is connected again', async () => {
  await world.say(workspace, 1, 3)
  await world.inside(workspace, async (tx) => {
    await sql`update connection set sealed_secrets = 's1.00000000.AAAA' where sealed_secrets is not null`.execute(tx)
  })
  expect(await world.work(workspace)).toEqual([])
  expect(await first()).toMatchObject({ state: 'waiting', waits_for: 'signed-out' })
  expect(await tile()).toMatchObject({ status: 'na', error: expect.stringContaining('connect it again') })
  expect(receiver.received).toEqual([])
  await world.connect(workspace, receiver.url)
  await world.work(workspace)
  expect(receiver.received).toHaveLength(1)
})

test('a waiting delivery shows why and until when', async () => {
  const why = async () => {
    const delivery = (await world.deliveries(workspace)).at(-1)
    const at = delivery?.next_attempt_at
    return [delivery?.waits_for, typeof at === 'string' ? (Date.parse(at) - world.now.getTime()) / 1000 : at]
  }
  await world.say(workspace, 1, 3)
  expect(await why()).toEqual(['due', 0])
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end()
  await world.work(workspace)
  expect(await why()).toEqual(['retry-after', 600])
  world.later(11)
  receiver.answer = (response) => response.writeHead(429).end()
  await world.work(workspace)
  expect((await why())[0]).toBe('rate-limited')
  world.later(60)
  receiver.answer = (response) => response.writeHead(500).end()
  await world.work(workspace)
  const [reason, seconds] = await why()
  expect(reason).toBe('retry')
  // The first failure that counts: the two 429 before it do not advance the schedule.
  expect(seconds).toBeGreaterThanOrEqual(0.8 * 5)
  expect(seconds).toBeLessThanOrEqual(1.2 * 5)
  world.later(60)
  receiver.answer = (response) => response.writeHead(200).end()
  await world.work(workspace)
  expect((await why())[0]).toBeNull()
  world.later(1)
  await world.say(workspace, 1, 1)
  await world.work(workspace)
  world.later(10)
  await world.say(workspace, 1, 1)
  expect(await why()).toEqual(['hourly', 3000])
})

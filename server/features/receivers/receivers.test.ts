import { retrySchedule } from '@groundswell/connectors/kit/webhooks/standard-webhooks.ts'
import type { Receiver, ReceiverDelivery } from '@groundswell/contract/receivers.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { keyFrom } from '../../platform/secrets/seal.ts'
import { duringTests } from '../../platform/testing.ts'
import { forgetEvents } from './delivery-store.ts'
import { sweepReceivers } from './jobs.ts'
import { resealReceivers } from './reseal.ts'
import { ReceiverWorld, verified } from './testing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const receivers = duringTests(() => ReceiverWorld.start())
afterEach(() => {
  receivers.time.passMs = 0
  receivers.time.stoppedAt = undefined
})

const later = async (workspace: string, ms: number) => {
  receivers.time.passMs += ms
  await receivers.deliver(workspace)
}

test('a failed attempt is made again by the schedule, under the same id, until it succeeds', async () => {
  const workspace = await receivers.workspace()
  const { id, secret, server, replies } = await receivers.add(workspace)
  replies.push(500, 404, 302)
  await receivers.setTeamStatus(workspace, 1, 'planned')
  // Otherwise a slow machine is past the first pause before it looks.
  receivers.time.stoppedAt = Date.now()
  await receivers.deliver(workspace)
  expect(await receivers.deliveries(workspace, id)).toMatchObject([
    {
      state: 'waiting',
      attempts: 1,
      status: 500,
      error: 'The receiver replied 500 instead of 2xx',
      type: 'insight.team_status_changed',
      issue_number: 1,
    },
  ])
  expect((await receivers.receiver(workspace, id)).failing_since).not.toBeNull()
  await later(workspace, 2_000)
  expect(server.seen).toHaveLength(1)
  await later(workspace, 6_000)
  expect(server.seen).toHaveLength(2)
  await later(workspace, MINUTE_MS)
  expect(server.seen).toHaveLength(2)
  await later(workspace, 7 * MINUTE_MS)
  const [delivery] = await receivers.deliveries(workspace, id)
  expect(delivery).toMatchObject({
    attempts: 3,
    status: 302,
    error: expect.stringContaining('Redirects are not followed'),
  })
  await later(workspace, 40 * MINUTE_MS)
  expect(await receivers.deliveries(workspace, id)).toMatchObject([
    { state: 'delivered', attempts: 4, status: 200, error: null },
  ])
  expect((await receivers.receiver(workspace, id)).failing_since).toBeNull()
  expect(server.seen.map(({ url }) => url)).toEqual(['/hook', '/hook', '/hook', '/hook'])
  expect(new Set(server.seen.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.event_id]))
  expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1)
  expect(verified(server, secret)).toHaveLength(4)
})

test('after the last attempt a delivery has failed, and can be sent again; five days without a success disable the receiver', async () => {
  const workspace = await receivers.workspace()
  const { id, server, replies } = await receivers.add(workspace)
  replies.push(...Array.from({ length: 11 }, () => 500))
  await receivers.setTeamStatus(workspace, 1, 'planned')
  await receivers.deliver(workspace)
  for (const seconds of retrySchedule) await later(workspace, seconds * 1_250)
  const [failed] = await receivers.deliveries(workspace, id)
  expect(failed).toMatchObject({ state: 'failed', attempts: 10, due_at: null })
  expect(await receivers.receiver(workspace, id)).toMatchObject({ disabled: null })

  receivers.time.passMs += 30 * HOUR_MS
  const again = () => receivers.call(workspace, 'POST', `/api/receivers/${id}/deliveries/${failed?.id}/send`)
  await again()
  await receivers.deliver(workspace)
  expect(await receivers.receiver(workspace, id)).toMatchObject({ disabled: { reason: 'failing' } })
  await receivers.call(workspace, 'PATCH', `/api/receivers/${id}`, { enabled: true })
  expect(await receivers.receiver(workspace, id)).toMatchObject({ disabled: null, failing_since: null })
  await again()
  await receivers.deliver(workspace)
  expect(await receivers.deliveries(workspace, id)).toMatchObject([{ state: 'delivered', attempts: 12 }])
  expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('410 disables a receiver; what waits for it is sent when it is enabled again, and nothing that happened meanwhile', async () => {
  const workspace = await receivers.workspace(3)
  const { id, server, replies } = await receivers.add(workspace)
  replies.push(410)
  await receivers.setTeamStatus(workspace, 1, 'planned')
  await receivers.setTeamStatus(workspace, 2, 'planned')
  await receivers.deliver(workspace)
  expect(await receivers.receiver(workspace, id)).toMatchObject({ disabled: { reason: 'gone' } })
  await receivers.setTeamStatus(workspace, 3, 'planned')
  await later(workspace, HOUR_MS)
  expect(server.seen).toHaveLength(1)
  const test = await receivers.ask(workspace, 'POST', `/api/receivers/${id}/test`)
  expect(test.status).toBe(409)
  await receivers.call(workspace, 'PATCH', `/api/receivers/${id}`, { enabled: true })
  await receivers.deliver(workspace)
  const shown = (await receivers.deliveries(workspace, id)).map(({ issue_number, state }) => [issue_number, state])
  expect(shown).toEqual([
    [2, 'delivered'],
    [1, 'failed'],
  ])
})

test('410 from an address that was replaced meanwhile disables nothing: the event is sent to the new one', async () => {
  const workspace = await receivers.workspace()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const { id, secret } = await receivers.add(workspace, null, (_, response) => {
    asked.resolve()
    void answer.promise.then(() => response.writeHead(410).end())
  })
  const { server } = await receivers.add(workspace, ['insight.deleted'])
  await receivers.setTeamStatus(workspace, 1, 'planned')
  const sending = receivers.deliver(workspace)
  await asked.promise
  await receivers.call(workspace, 'PATCH', `/api/receivers/${id}`, { url: `${server.url}/new` })
  answer.resolve()
  await sending
  expect(await receivers.receiver(workspace, id)).toMatchObject({ disabled: null })
  await later(workspace, HOUR_MS)
  expect(verified(server, secret)).toMatchObject([{ type: 'insight.team_status_changed' }])
})

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  const workspace = await receivers.workspace()
  const { id, secret: old, server } = await receivers.add(workspace)
  const path = `/api/receivers/${id}/secret`
  const { secret, receiver } = await receivers.call<{ secret: string; receiver: Receiver }>(workspace, 'POST', path)
  expect(receiver.old_secret_until).not.toBeNull()
  await receivers.setTeamStatus(workspace, 1, 'planned')
  await receivers.deliver(workspace)
  expect(verified(server, old)).toEqual(verified(server, secret))
  expect(JSON.stringify(await receivers.receiver(workspace, id))).not.toContain(secret)

  await later(workspace, 25 * HOUR_MS)
  server.seen.length = 0
  await receivers.setTeamStatus(workspace, 1, 'shipped')
  await receivers.deliver(workspace)
  expect(() => verified(server, old)).toThrow(/signature/)
  expect(server.seen[0]?.headers['webhook-signature']?.toString().split(' ')).toHaveLength(1)
  expect((await receivers.receiver(workspace, id)).old_secret_until).toBeNull()
})

test('a slow receiver delays no other one, and gives up its place after one attempt', async () => {
  const workspace = await receivers.workspace(3)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const slow = await receivers.add(workspace, null, (_, response) => {
    asked.resolve()
    void answer.promise.then(() => response.end('ok'))
  })
  const quick = await receivers.add(workspace)
  for (const number of [1, 2, 3]) await receivers.setTeamStatus(workspace, number, 'planned')
  const both = receivers.deliver(workspace)
  await asked.promise
  await expect.poll(() => quick.server.seen.length).toBe(3)
  expect(slow.server.seen).toHaveLength(1)
  answer.resolve()
  await both
})

test('private addresses are refused, in the form and whenever something is sent', async () => {
  const workspace = await receivers.workspace()
  const { id, server } = await receivers.add(workspace)
  const { config } = receivers.services
  const services = withCaches(receivers.services)
  config.allowPrivateAddresses = []
  try {
    const payload = { url: `${server.url}/hook`, description: '', events: null }
    const refused = await receivers.ask(workspace, 'POST', '/api/receivers', payload)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('private or reserved')])
    expect(refused.text).toContain('add 127.0.0.1 to WEBHOOK_ALLOW')
    await receivers.setTeamStatus(workspace, 1, 'planned')
    await receivers.deliver(workspace, services)
  } finally {
    config.allowPrivateAddresses = ['127.0.0.1']
  }
  expect(server.connections()).toBe(0)
  expect(await receivers.deliveries(workspace, id)).toMatchObject([
    { state: 'waiting', status: null, error: expect.stringContaining('private or reserved') },
  ])
})

test('a test event is sent, one at a time', async () => {
  const workspace = await receivers.workspace()
  const { id, secret, server } = await receivers.add(workspace, ['insight.deleted'])
  const path = `/api/receivers/${id}/test`
  const { delivery } = await receivers.call<{ delivery: ReceiverDelivery }>(workspace, 'POST', path)
  expect(delivery).toMatchObject({ type: 'receiver.test', state: 'waiting', attempts: 0 })
  expect((await receivers.ask(workspace, 'POST', path)).status).toBe(409)
  await receivers.deliver(workspace)
  expect(verified(server, secret)).toMatchObject([{ type: 'receiver.test', data: { workspace_id: workspace } }])
  await receivers.call(workspace, 'POST', path)
})

test('a workspace has at most ten receivers, and others do not see them', async () => {
  const workspace = await receivers.workspace()
  const other = await receivers.workspace()
  const { id, server } = await receivers.add(workspace)
  for (let count = 2; count <= 10; count += 1) {
    await receivers.call(workspace, 'POST', '/api/receivers', { url: server.url, description: '', events: null })
  }
  const payload = { url: server.url, description: '', events: null }
  expect((await receivers.ask(workspace, 'POST', '/api/receivers', payload)).status).toBe(409)
  expect(await receivers.call(other, 'GET', '/api/receivers')).toEqual({ receivers: [] })
  expect((await receivers.ask(other, 'DELETE', `/api/receivers/${id}`)).status).toBe(404)
  await receivers.call(workspace, 'DELETE', `/api/receivers/${id}`)
  const { receivers: rest } = await receivers.call<{ receivers: Receiver[] }>(workspace, 'GET', '/api/receivers')
  expect(rest).toHaveLength(9)
})

test('addresses and secrets are sealed, and sealed again with a new key', async () => {
  const workspace = await receivers.workspace()
  const { id, server } = await receivers.add(workspace)
  const stored = async () =>
    (await receivers.inside(workspace, (tx) => sql<{ sealed: string }>`select sealed from receiver`.execute(tx))).rows
  const before = await stored()
  expect(JSON.stringify(before)).not.toMatch(/127\.0\.0\.1|whsec_/)
  const { services } = receivers
  const old = services.key
  const bytes = Buffer.alloc(32, 9)
  const key = { ...keyFrom(bytes), find: (name: string) => (name === old.id ? old.bytes : null) }
  expect(await resealReceivers({ ...services, key })).toMatchObject({ lost: 0 })
  services.key = keyFrom(bytes)
  try {
    expect(await stored()).not.toEqual(before)
    expect(await receivers.receiver(workspace, id)).toMatchObject({ url: `${server.url}/hook` })
  } finally {
    await resealReceivers({ ...services, key: { ...old, find: () => bytes } })
    services.key = old
  }
})

test('the sweep requests what has no job, and deletes events after 30 days', async () => {
  const workspace = await receivers.workspace()
  const { id } = await receivers.add(workspace)
  await receivers.setTeamStatus(workspace, 1, 'planned')
  const sent: unknown[] = []
  const send = async (_job: unknown, data: unknown) => void sent.push(data)
  const queue = { ...receivers.services.queue, send } as unknown as Queue
  const services = { ...receivers.services, queue }
  await sweepReceivers(services)
  expect(sent).toContainEqual({ workspaceId: workspace, receiverId: id })
  receivers.time.passMs = 29 * DAY_MS
  await sweepReceivers(services)
  expect(await receivers.countEvents(workspace)).toBe(1)
  receivers.time.passMs = 31 * DAY_MS
  await sweepReceivers(services)
  expect(await receivers.countEvents(workspace)).toBe(0)
})

test('the body of an event is removed with the feedback of an erased person, and written again when it is sent again', async () => {
  const workspace = await receivers.workspace()
  const { id, server } = await receivers.add(workspace)
  await receivers.setTeamStatus(workspace, 1, 'planned')
  await receivers.deliver(workspace)
  const itemIds = await receivers.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: number }>`select item_id as id from statement`.execute(tx)
    return rows.map((row) => Number(row.id))
  })
  await receivers.change(workspace, 1, `summary = 'rewritten'`)
  await receivers.inside(workspace, (tx) => forgetEvents(tx, workspace, { author: 'Nobody', itemIds }))
  const [delivery] = await receivers.deliveries(workspace, id)
  await receivers.call(workspace, 'POST', `/api/receivers/${id}/deliveries/${delivery?.id}/send`)
  await receivers.deliver(workspace)
  expect(server.seen.map(({ body }) => /"summary":"([^"]*)"/.exec(body)?.[1])).toEqual(['what they say', 'rewritten'])
})

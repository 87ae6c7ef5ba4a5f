import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { duringTests } from '../testing.ts'
import { Listener, type ListenerOptions } from './listener.ts'
import { proxyTo } from './test-proxy.ts'
import { runAsOwner, testDatabase } from './testing.ts'

const stops: (() => Promise<void>)[] = []

const fixture = duringTests(() => testDatabase())

const proxy = duringTests(() => proxyTo(fixture.appUrl))
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A listener on two channels, and what it received. */
async function listening(url: string, options: Partial<ListenerOptions> = {}) {
  const heard: string[] = []
  const listener = new Listener(url, {
    log: silentLog(),
    onDoubt: () => heard.push('doubt'),
    // On a busy machine a message may take long, which must not count as a loss.
    verifyWithinMs: 30_000,
    ...options,
  })
  stops.push(() => listener.stop())
  const gaps = { onLost: () => heard.push('lost'), onReconnect: () => heard.push('reconnected') }
  await listener.listen('Test Channel', (payload) => heard.push(payload), gaps)
  const leave = await listener.listen('other', (payload) => heard.push(`other ${payload}`))
  return { listener, heard, leave }
}

const send = (payload: string, channel = 'Test Channel') =>
  fixture.db.pool.query('select pg_notify($1, $2)', [channel, payload])

test('receives notifications of its channels, and again after its connection was lost', async () => {
  const { listener, heard, leave } = await listening(fixture.appUrl)
  await send('one')
  await send('one', 'other')
  await expect.poll(() => heard).toEqual(['one', 'other one'])
  await leave()
  await send('two', 'other')
  await runAsOwner(
    fixture.ownerUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'groundswell listen'
      and datname = current_database()`,
  )
  await expect.poll(() => heard.slice(2)).toEqual(['lost', 'doubt', 'reconnected'])
  expect(listener.receives).toBe(true)
  await send('three')
  await expect.poll(() => heard.at(-1)).toBe('three')
})

test('notices that its connection is open but dead', async () => {
  const { listener, heard } = await listening(proxy.url, { verifyEveryMs: 50, verifyWithinMs: 5_000 })
  proxy.swallow()
  await expect.poll(() => heard).toEqual(['lost', 'doubt'])
  expect(listener.receives).toBe(false)
  await expect(listener.listen('third', () => undefined)).rejects.toThrow('no notifications are received')
  proxy.deliver()
  await expect.poll(() => heard.at(-1)).toBe('reconnected')
  expect(listener.receives).toBe(true)
  await send('four')
  await expect.poll(() => heard.at(-1)).toBe('four')
})

test('refuses an address that delivers no notifications, such as that of a pooler', async () => {
  // As a pooler in transaction mode: LISTEN succeeds on a connection that somebody else gets next.
  await runAsOwner(
    fixture.ownerUrl,
    `create function public.pg_notify(text, text) returns void language sql as 'select';
     alter database "${new URL(fixture.ownerUrl).pathname.slice(1)}" set search_path = public, pg_catalog`,
  )
  const listener = new Listener(fixture.appUrl, { log: silentLog(), verifyWithinMs: 200 })
  stops.push(() => listener.stop())
  await expect(listener.start()).rejects.toThrow('set DATABASE_DIRECT_URL')
})

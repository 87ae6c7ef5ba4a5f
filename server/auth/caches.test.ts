import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withCaches } from '../platform/caches.ts'
import { type TestApp, testServices } from '../platform/http/testing.ts'
import { knownTokens } from './sessions/known-tokens.ts'
import { NOTICE_CHANNEL } from './sessions/notice-store.ts'

let test: Pick<TestApp, 'services'> & { stop(): Promise<void> }

beforeAll(async () => {
  test = await testServices({ authRateLimits: {} })
})
afterAll(() => test.stop())

describe('the state that sign-in holds in memory', () => {
  it('belongs to one process, also where two share a database', () => {
    const [one, other] = [withCaches(test.services), withCaches(test.services)]
    expect(knownTokens(one)).not.toBe(knownTokens(other))
  })

  it('is disposed with the process: it stops listening for ended sessions', async () => {
    const [one, other] = [withCaches(test.services), withCaches(test.services)]
    const disposed = knownTokens(one)
    await disposed.ready()
    await knownTokens(other).ready()
    await one.caches.dispose()
    const ended = `session:ended:${Date.now()}`
    await sql`select pg_notify(${NOTICE_CHANNEL}, ${ended})`.execute(test.services.db.kysely)
    await expect.poll(() => knownTokens(other).hasEnded('ended')).toBe(true)
    expect(disposed.hasEnded('ended')).toBe(false)
    await other.caches.dispose()
  })
})

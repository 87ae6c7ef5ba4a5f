import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withCaches } from '../platform/caches.ts'
import { type TestApp, testServices } from '../platform/http/testing.ts'
import { knownTokens } from './sessions/known-tokens.ts'
import { limits } from './throttle/limits.ts'

let test: Pick<TestApp, 'services'> & { stop(): Promise<void> }

beforeAll(async () => {
  test = await testServices({ authRateLimits: {} })
})
afterAll(() => test.stop())

async function listeners(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'groundswell listen' and datname = current_database()`.execute(test.services.db.kysely)
  return rows[0]?.count ?? 0
}

describe('the state that sign-in holds in memory', () => {
  it('belongs to one process, also where two share a database', () => {
    const [one, other] = [withCaches(test.services), withCaches(test.services)]
    expect(limits(one).mailbox.take('confirm ann@example.com', 0)).toBe(true)
    expect(limits(one).mailbox.take('confirm ann@example.com', 0)).toBe(false)
    expect(limits(other).mailbox.take('confirm ann@example.com', 0)).toBe(true)
    expect(knownTokens(one)).not.toBe(knownTokens(other))
  })

  it('is disposed with the process: it stops listening for ended sessions', async () => {
    const before = await listeners()
    const services = withCaches(test.services)
    await knownTokens(services).ready()
    expect(await listeners()).toBe(before + 1)
    await services.caches.dispose()
    await expect.poll(listeners).toBe(before)
  })
})

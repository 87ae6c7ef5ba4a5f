import { beforeEach, describe, expect, it } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { testServices } from '../../platform/http/testing.ts'
import type { Services } from '../../platform/services.ts'
import { duringTests } from '../../platform/testing.ts'
import { sweepAccounts } from '../jobs.ts'
import { type Attempt, refund, spend, takeAll, takeAllIn, takeEach } from './limits.ts'

const MINUTE_MS = 60_000

let time: number

const server = duringTests(() => testServices({ authRateLimits: { login: 10, email: 2 } }))
beforeEach(async () => {
  time = Date.UTC(2026, 0, 1)
  await queryAccounts(server.services.db, 'delete from attempt_count')
})

/** A separate process over the same database. */
const another = (): Services => withCaches({ ...server.services, now: () => new Date(time) })

const at = (address: string, subject?: string): Attempt => ({ limit: 'login', address, subject })

async function left(services: Services, attemptOf: (number: number) => Attempt, tries: number): Promise<number> {
  let count = 0
  for (let number = 0; number < tries; number += 1) if (await takeAll(services, [attemptOf(number)])) count += 1
  return count
}

describe('a limit by address', () => {
  it('holds for all addresses of a /64 together, over all processes', async () => {
    const processes = [another(), another(), another()]
    const tries = Array.from({ length: 30 }, (_, number) =>
      takeAll(processes[number % 3] ?? another(), [at(`2001:db8:1:2::${number.toString(16)}`)]),
    )
    expect((await Promise.all(tries)).filter((taken) => taken)).toHaveLength(10)
  })

  it('holds for all networks of a /48 together, at eight times as much', async () => {
    expect(await left(another(), (number) => at(`2001:db8:1:${number.toString(16)}::1`), 100)).toBe(80)
  })

  it('leaves other networks and other subjects alone, and refunds what was taken', async () => {
    const services = another()
    await left(services, () => at('2001:db8:1:2::1'), 20)
    expect(await takeEach(services, [at('2001:db8:1:3::1'), at('2001:db8:1:2::1', 'else')])).toEqual([true, true])
    await refund(services, [at('2001:db8:1:2::9')])
    expect(await left(services, () => at('2001:db8:1:2::7'), 2)).toBe(1)
    await refund(services, [], [at('2001:db8:1:2::9')])
    expect(await left(services, () => at('2001:db8:1:2::7'), 20)).toBe(10)
  })

  it('is regained bit by bit', async () => {
    const services = another()
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    // Half of the next window later, half of the attempts still count.
    time += 15 * 1.5 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(5)
    time += 40 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
  })
})

describe('a clock that jumps an hour', () => {
  it('ahead and back leaves nobody locked out, and nobody without a limit', async () => {
    const services = another()
    time += 60 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    time -= 60 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(0)
  })

  it('back, and ahead again, leaves the limit as it is', async () => {
    const services = another()
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    time -= 60 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    time += 60 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(0)
  })

  it('is not what two machines differ by: what one counted in its next window counts for the other', async () => {
    const services = another()
    time += 15 * MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(10)
    time -= MINUTE_MS
    expect(await left(services, () => at('192.0.2.1'), 20)).toBe(0)
  })
})

describe('several limits for one attempt', () => {
  const mail = (mailbox: string): Attempt[] => [
    { limit: 'mailbox', key: mailbox },
    { limit: 'email', address: '192.0.2.1' },
  ]

  it('count together or not at all', async () => {
    const services = another()
    expect(await takeAll(services, mail('a'))).toBe(true)
    for (let again = 0; again < 5; again += 1) expect(await takeAll(services, mail('a'))).toBe(false)
    expect(await takeAll(services, mail('b'))).toBe(true)
    // Two mails of this address count, not those that were refused.
    expect(await takeAll(services, mail('c'))).toBe(false)
    expect(await takeEach(services, mail('c'))).toEqual([true, false])
  })

  it('count with the transaction', async () => {
    const services = another()
    const refused = withoutWorkspace(services.db.accounts, async (tx) => {
      expect(await takeAllIn(tx, services, mail('a'))).toBe(true)
      throw new Error('rolled back')
    })
    await expect(refused).rejects.toThrow('rolled back')
    expect(await takeAll(services, mail('a'))).toBe(true)
  })
})

it('throws when none is left, and never where limits are off', async () => {
  const services = another()
  await left(services, () => at('192.0.2.1'), 10)
  await expect(spend(services, at('192.0.2.1'))).rejects.toThrow('Too many attempts')
  const off = withCaches({ ...services, config: { ...services.config, authRateLimits: null } })
  await spend(off, at('192.0.2.1'))
})

it('stores nothing that people typed, and nothing for longer than it counts', async () => {
  const services = another()
  await takeAll(services, [at('192.0.2.1', 'ann@example.com')])
  const rows = async () =>
    (await queryAccounts<{ row: string }>(services.db, 'select r::text as row from attempt_count r')).rows
  expect(await rows()).toHaveLength(1)
  expect(JSON.stringify(await rows())).not.toMatch(/ann|192/)
  await sweepAccounts(services)
  expect(await rows()).toHaveLength(1)
  time += 31 * MINUTE_MS
  await sweepAccounts(services)
  expect(await rows()).toEqual([])
})

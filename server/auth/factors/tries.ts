import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { networkOf } from '../throttle/network.ts'
import { provenAddresses, recentTries } from './store.ts'

const FAILURES_OF_NETWORK = 10
const QUESTIONS_OF_NETWORK = 40
/** From all networks in which the second factor was never passed, together. */
const FAILURES_OF_STRANGERS = 30
const QUESTIONS_OF_STRANGERS = 100

/**
 * True when no more codes may be tried from an address. Each network (an IPv4 address, a /64 of IPv6) has tries of its own. Who has
 * somebody's password must not get to try many codes from many places either, so networks in which the second factor was never
 * passed share a limit; it does not count for the others, so nobody can use up the tries of the owner. Counted in the database, so
 * that several processes and a restart make no difference.
 */
export async function isTooMany(
  { config }: Pick<Services, 'config'>,
  tx: Tx,
  accountId: string,
  address: string,
  since: Date,
): Promise<boolean> {
  if (config.authRateLimits === null) return false
  const here = networkOf(address)
  const known = new Set((await provenAddresses(tx, accountId)).map((one) => networkOf(one)))
  const tries = (await recentTries(tx, accountId, since)).map((row) => ({ ...row, network: networkOf(row.address) }))
  const own = total(tries.filter(({ network }) => network === here))
  if (own.failures >= FAILURES_OF_NETWORK || own.asked > QUESTIONS_OF_NETWORK) return true
  if (known.has(here)) return false
  const strangers = total(tries.filter(({ network }) => !known.has(network)))
  return strangers.failures >= FAILURES_OF_STRANGERS || strangers.asked > QUESTIONS_OF_STRANGERS
}

function total(rows: readonly { failures: number; asked: number }[]): { failures: number; asked: number } {
  return rows.reduce((sum, { failures, asked }) => ({ failures: sum.failures + failures, asked: sum.asked + asked }), {
    failures: 0,
    asked: 0,
  })
}

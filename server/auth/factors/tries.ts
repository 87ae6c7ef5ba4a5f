import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { networkOf } from '../throttle/network.ts'
import { provenAddresses, recentTries } from './store.ts'

const MAX_FAILURES_OF_NETWORK = 10
const MAX_CHALLENGES_OF_NETWORK = 40
/** From all networks in which the second factor was never passed, together. */
const MAX_FAILURES_OF_UNKNOWN_NETWORKS = 30
const MAX_CHALLENGES_OF_UNKNOWN_NETWORKS = 100

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
  if (own.failures >= MAX_FAILURES_OF_NETWORK || own.challenges > MAX_CHALLENGES_OF_NETWORK) return true
  if (known.has(here)) return false
  const unknown = total(tries.filter(({ network }) => !known.has(network)))
  return unknown.failures >= MAX_FAILURES_OF_UNKNOWN_NETWORKS || unknown.challenges > MAX_CHALLENGES_OF_UNKNOWN_NETWORKS
}

function total(rows: readonly { failures: number; challenges: number }[]): { failures: number; challenges: number } {
  return rows.reduce(
    (sum, { failures, challenges }) => ({ failures: sum.failures + failures, challenges: sum.challenges + challenges }),
    {
      failures: 0,
      challenges: 0,
    },
  )
}

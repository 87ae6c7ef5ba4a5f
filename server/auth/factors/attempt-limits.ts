import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { networkOf } from '../throttle/network.ts'
import { provenAddresses, recentTries } from './store.ts'

const MAX_FAILURES_OF_NETWORK = 10
const MAX_CHALLENGES_OF_NETWORK = 40
/** For all networks that never passed the second factor, together. */
const MAX_FAILURES_OF_UNKNOWN_NETWORKS = 30
const MAX_CHALLENGES_OF_UNKNOWN_NETWORKS = 100

/**
 * True when an address has used up its attempts. Each network (an IPv4 address, a /64 of IPv6) has its own limit. Networks
 * that never passed the second factor also share one, so that someone with the password cannot try codes from many places; it
 * does not apply to the other networks, so no one can lock out the owner. Counted in the database, across processes and
 * restarts.
 */
export async function isTooMany(
  { config }: Pick<Services, 'config'>,
  tx: AccountTx,
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

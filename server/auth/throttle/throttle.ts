import { createHash } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Counter } from './attempt-store.ts'
import { networkOf } from './network.ts'

/** At most `max` attempts within `windowMs`. */
export type Rule = { max: number; windowMs: number }

/** How many times the limit of a /64 a whole /48 may use: a site has many networks, and an attacker may control a site. */
const NETWORKS_OF_SITE = 8

/**
 * The counters of an attempt from an address: its network (an IPv4 address or a /64 of IPv6) and, more widely, its /48. `subject`
 * narrows it to the target of the attempt, such as an account.
 */
export function countersOfAddress(limit: string, { max, windowMs }: Rule, address: string, subject = ''): Counter[] {
  const network = { limit, key: digest(`${subject} ${networkOf(address)}`), max, windowMs }
  const site = networkOf(address, 48)
  if (!site.endsWith('/48')) return [network]
  return [network, { limit, key: digest(`${subject} ${site}`), max: max * NETWORKS_OF_SITE, windowMs }]
}

/** The counter of an attempt that does not depend on the address. */
export function counterOfKey(limit: string, { max, windowMs }: Rule, key: string): Counter {
  return { limit, key: digest(key), max, windowMs }
}

/** Keys hold what people typed, of any length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Throws `too_many_requests`. */
export function refuseTry(): never {
  throw new ContractError('too_many_requests', 'Too many attempts: wait a few minutes and try again')
}

import { networkOf } from './network.ts'
import { type Rule, refuseTry, Throttle } from './throttle.ts'

/** How many times the limit of a /64 a whole /48 may use: a site has many networks, and an attacker may control a site. */
const NETWORKS_OF_SITE = 8

/**
 * Counts attempts by the network of the client's address: an IPv4 address or a /64 of IPv6, and more widely a /48. `subject`
 * narrows it to the target of the attempt, such as an account.
 */
export class AddressThrottle {
  readonly #network: Throttle
  readonly #site: Throttle

  constructor({ max, windowMs }: Rule) {
    this.#network = new Throttle({ max, windowMs })
    this.#site = new Throttle({ max: max * NETWORKS_OF_SITE, windowMs })
  }

  /** True when the address has used up its attempts. */
  isSpent(address: string, now: number, subject = ''): boolean {
    const { network, site } = keysOf(address, subject)
    return this.#network.isSpent(network, now) || (site !== null && this.#site.isSpent(site, now))
  }

  /** Counts one attempt. */
  count(address: string, now: number, subject = ''): void {
    const { network, site } = keysOf(address, subject)
    this.#network.count(network, now)
    if (site !== null) this.#site.count(site, now)
  }

  /** Counts one attempt and returns true, or false when none is left. Atomic within the process. */
  take(address: string, now: number, subject = ''): boolean {
    if (this.isSpent(address, now, subject)) return false
    this.count(address, now, subject)
    return true
  }

  /** Counts one attempt, or throws `too_many_requests` when none is left. */
  spend(address: string, now: number, subject = ''): void {
    if (!this.take(address, now, subject)) refuseTry()
  }

  /** Refunds one attempt. */
  refund(address: string, now: number, subject = ''): void {
    const { network, site } = keysOf(address, subject)
    this.#network.refund(network, now)
    if (site !== null) this.#site.refund(site, now)
  }

  /** Resets the attempts of an address, as after a success. */
  clear(address: string, subject = ''): void {
    this.#network.clear(keysOf(address, subject).network)
  }
}

function keysOf(address: string, subject: string): { network: string; site: string | null } {
  const site = networkOf(address, 48)
  return { network: `${subject} ${networkOf(address)}`, site: site.endsWith('/48') ? `${subject} ${site}` : null }
}

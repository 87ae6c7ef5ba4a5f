import { defineCache } from '../../platform/caches.ts'
import { ConfigError } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { AddressThrottle } from './address-throttle.ts'
import { Throttle } from './throttle.ts'

const MINUTE_MS = 60_000

/**
 * How often something may be done before it is refused for a while, by AUTH_RATE_LIMITS name. Most count by the client's
 * address, of IPv6 by its /64 and, eight times as much, its /48.
 */
const usual = {
  /** Wrong passwords of one account from one address. */
  login: { most: 10, withinMs: 15 * MINUTE_MS },
  /** Wrong passwords from one address. */
  login_address: { most: 100, withinMs: 15 * MINUTE_MS },
  /** Wrong passwords of one account from addresses that never signed in to it. */
  login_account: { most: 100, withinMs: 15 * MINUTE_MS },
  signup: { most: 60, withinMs: 60 * MINUTE_MS },
  refresh: { most: 150, withinMs: 5 * MINUTE_MS },
  verify: { most: 30, withinMs: 5 * MINUTE_MS },
  /** Steps of sign-ins by way of an identity provider: two each. */
  oauth: { most: 300, withinMs: 5 * MINUTE_MS },
  otp: { most: 30, withinMs: 5 * MINUTE_MS },
  mfa: { most: 15, withinMs: MINUTE_MS },
  /** Mails that one address asks for. */
  email: { most: 30, withinMs: 60 * MINUTE_MS },
  /** Mails to one mailbox. */
  mailbox: { most: 1, withinMs: MINUTE_MS },
} as const

/** What counts by something else than the client's address. */
const unplaced = { login_account: true, mailbox: true } as const

type UnplacedName = keyof typeof unplaced

/** A limit that counts by the client's address. */
export type LimitName = Exclude<keyof typeof usual, UnplacedName>

/** The counters of this process, one of a kind. */
export type Limits = Readonly<Record<LimitName, AddressThrottle> & Record<UnplacedName, Throttle>>

const limitsCache = defineCache('auth limits', ({ config }) => makeLimits(config.authRateLimits))

/** The counters of this process. Throws a `ConfigError` when AUTH_RATE_LIMITS names a limit that does not exist. */
export function limits({ caches }: Pick<Services, 'caches'>): Limits {
  return caches.of(limitsCache)
}

function makeLimits(set: Readonly<Record<string, number>> | null): Limits {
  const unknown = Object.keys(set ?? {}).filter((name) => !Object.hasOwn(usual, name))
  if (unknown.length > 0) {
    const names = Object.keys(usual).join(', ')
    throw new ConfigError(`AUTH_RATE_LIMITS knows no ${unknown.join(', ')}. It knows ${names}.`)
  }
  const entries = Object.entries(usual).map(([name, { most, withinMs }]) => {
    const rule = { most: set === null ? Number.POSITIVE_INFINITY : (set[name] ?? most), withinMs }
    return [name, Object.hasOwn(unplaced, name) ? new Throttle(rule) : new AddressThrottle(rule)] as const
  })
  return Object.fromEntries(entries) as unknown as Limits
}

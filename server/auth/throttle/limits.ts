import { defineCache } from '../../platform/caches.ts'
import { ConfigError } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { AddressThrottle } from './address-throttle.ts'
import { Throttle } from './throttle.ts'

const MINUTE_MS = 60_000

/**
 * The default limits by their AUTH_RATE_LIMITS name. Most count by the client's address: IPv6 by its /64 and, at eight times
 * the limit, its /48.
 */
const DEFAULT_LIMITS = {
  /** Wrong passwords of one account from one address. */
  login: { max: 10, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords from one address. */
  login_address: { max: 100, windowMs: 15 * MINUTE_MS },
  /** Wrong passwords of one account from addresses that never signed in to it. */
  login_account: { max: 100, windowMs: 15 * MINUTE_MS },
  signup: { max: 60, windowMs: 60 * MINUTE_MS },
  refresh: { max: 150, windowMs: 5 * MINUTE_MS },
  verify: { max: 30, windowMs: 5 * MINUTE_MS },
  /** Steps of sign-ins through an identity provider: two each. */
  oauth: { max: 300, windowMs: 5 * MINUTE_MS },
  otp: { max: 30, windowMs: 5 * MINUTE_MS },
  mfa: { max: 15, windowMs: MINUTE_MS },
  /** Mails requested from one address. */
  email: { max: 30, windowMs: 60 * MINUTE_MS },
  /** Mails to one mailbox. */
  mailbox: { max: 1, windowMs: MINUTE_MS },
} as const

/** Limits that do not count by the client's address. */
const byKey = { login_account: true, mailbox: true } as const

type KeyLimitName = keyof typeof byKey

/** A limit that counts by the client's address. */
export type LimitName = Exclude<keyof typeof DEFAULT_LIMITS, KeyLimitName>

/** The counters of a process. */
export type Limits = Readonly<Record<LimitName, AddressThrottle> & Record<KeyLimitName, Throttle>>

const limitsCache = defineCache('auth limits', ({ config }) => makeLimits(config.authRateLimits))

/** The counters of this process. Throws a `ConfigError` when AUTH_RATE_LIMITS names a limit that does not exist. */
export function limits({ caches }: Pick<Services, 'caches'>): Limits {
  return caches.of(limitsCache)
}

function makeLimits(set: Readonly<Record<string, number>> | null): Limits {
  const unknown = Object.keys(set ?? {}).filter((name) => !Object.hasOwn(DEFAULT_LIMITS, name))
  if (unknown.length > 0) {
    const names = Object.keys(DEFAULT_LIMITS).join(', ')
    throw new ConfigError(`AUTH_RATE_LIMITS has no limit named ${unknown.join(', ')}. The limits are ${names}.`)
  }
  const entries = Object.entries(DEFAULT_LIMITS).map(([name, { max, windowMs }]) => {
    const rule = { max: set === null ? Number.POSITIVE_INFINITY : (set[name] ?? max), windowMs }
    return [name, Object.hasOwn(byKey, name) ? new Throttle(rule) : new AddressThrottle(rule)] as const
  })
  return Object.fromEntries(entries) as unknown as Limits
}

import { defineCache } from '../../platform/caches.ts'
import { ConfigError } from '../../platform/config/config.ts'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type Counter, refundInEach, resetEach, takeInEach } from './attempt-store.ts'
import { counterOfKey, countersOfAddress, type Rule, refuseTry } from './throttle.ts'

type Context = Pick<Services, 'caches' | 'db' | 'now'>

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
  /** Invitations that one person makes. */
  invite: { max: 30, windowMs: 60 * MINUTE_MS },
  /** Calls with one API key. */
  api_key: { max: 600, windowMs: MINUTE_MS },
  /** Pages of read-only links opened from one address. */
  shared_link: { max: 120, windowMs: MINUTE_MS },
} as const

/** Limits that do not count by the client's address. */
const byKey = { login_account: true, mailbox: true, invite: true, api_key: true } as const

type KeyLimitName = keyof typeof byKey

/** A limit that counts by the client's address. */
export type LimitName = Exclude<keyof typeof DEFAULT_LIMITS, KeyLimitName>

/** One attempt that counts against a limit. `subject` narrows it to the target of the attempt, such as an account. */
export type Attempt = { limit: LimitName; address: string; subject?: string } | { limit: KeyLimitName; key: string }

type Rules = Readonly<Record<LimitName | KeyLimitName, Rule>>

const rulesCache = defineCache('auth limits', ({ config }) => rulesFrom(config.authRateLimits))

/** The limits of this installation; null: none. Throws a `ConfigError` when AUTH_RATE_LIMITS names a limit that does not exist. */
export function limitRules({ caches }: Pick<Services, 'caches'>): Rules | null {
  return caches.of(rulesCache)
}

/**
 * Counts attempts, over all processes, and returns for each whether one was left; where none was, it is not counted. Not within
 * a transaction.
 */
export async function takeEach(services: Context, attempts: readonly Attempt[]): Promise<boolean[]> {
  return limitRules(services) === null
    ? attempts.map(() => true)
    : withoutWorkspace(services.db.accounts, (tx) => takeEachIn(tx, services, attempts))
}

/** Counts attempts and returns true, or counts none and returns false when one of them had none left. Not within a transaction. */
export async function takeAll(services: Context, attempts: readonly Attempt[]): Promise<boolean> {
  return (
    limitRules(services) === null || withoutWorkspace(services.db.accounts, (tx) => takeAllIn(tx, services, attempts))
  )
}

/** The same within a transaction; they count if it is committed. */
export async function takeAllIn(
  tx: AccountTx,
  services: Omit<Context, 'db'>,
  attempts: readonly Attempt[],
): Promise<boolean> {
  const taken = await takeEachIn(tx, services, attempts)
  if (taken.every((one) => one)) return true
  const counted = attempts.filter((_attempt, index) => taken[index])
  await refundInEach(
    tx,
    counted.flatMap((attempt) => countersOf(services, attempt)),
  )
  return false
}

/** Counts an attempt, or throws `too_many_requests` when none is left. Not within a transaction. */
export async function spend(services: Context, attempt: Attempt): Promise<void> {
  if (!(await takeAll(services, [attempt]))) refuseTry()
}

/** Refunds attempts, and resets those of `reset`, as after a success: the site of an address keeps its count. Not within a transaction. */
export async function refund(
  services: Context,
  attempts: readonly Attempt[],
  reset: readonly Attempt[] = [],
): Promise<void> {
  if (limitRules(services) === null) return
  await withoutWorkspace(services.db.accounts, async (tx) => {
    await refundInEach(
      tx,
      attempts.flatMap((attempt) => countersOf(services, attempt)),
    )
    if (reset.length > 0)
      await resetEach(
        tx,
        reset.flatMap((attempt) => countersOf(services, attempt).slice(0, 1)),
      )
  })
}

async function takeEachIn(
  tx: AccountTx,
  services: Omit<Context, 'db'>,
  attempts: readonly Attempt[],
): Promise<boolean[]> {
  const counters = attempts.map((attempt) => countersOf(services, attempt))
  const all = counters.flat()
  if (all.length === 0) return attempts.map(() => true)
  const taken = await takeInEach(tx, all, services.now().getTime())
  const left = new Set(all.filter((_counter, index) => taken[index]))
  // An attempt that exceeds one of two counters is not made: the other counter gets its count back.
  const partial = counters.filter((own) => own.some((one) => left.has(one)) && !own.every((one) => left.has(one)))
  const excess = partial.flat().filter((one) => left.has(one))
  if (excess.length > 0) await refundInEach(tx, excess)
  return counters.map((own) => own.every((one) => left.has(one)))
}

function countersOf(services: Pick<Services, 'caches'>, attempt: Attempt): Counter[] {
  const rule = limitRules(services)?.[attempt.limit]
  if (!rule) return []
  if ('key' in attempt) return [counterOfKey(attempt.limit, rule, attempt.key)]
  return countersOfAddress(attempt.limit, rule, attempt.address, attempt.subject)
}

function rulesFrom(set: Readonly<Record<string, number>> | null): Rules | null {
  const unknown = Object.keys(set ?? {}).filter((name) => !Object.hasOwn(DEFAULT_LIMITS, name))
  if (unknown.length > 0) {
    const names = Object.keys(DEFAULT_LIMITS).join(', ')
    throw new ConfigError(`AUTH_RATE_LIMITS has no limit named ${unknown.join(', ')}. The limits are ${names}.`)
  }
  if (set === null) return null
  const entries = Object.entries(DEFAULT_LIMITS).map(([name, { max, windowMs }]) => [
    name,
    { max: set[name] ?? max, windowMs },
  ])
  return Object.fromEntries(entries) as Rules
}

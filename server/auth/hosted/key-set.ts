import { ContractError } from '@groundswell/contract/errors.ts'
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { defineCache } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'
import { callProject } from './project.ts'

/** How long the keys are used before they are fetched again. */
const FRESH_MS = 10 * 60_000
/** How long they are used while the project cannot be reached. */
const MAX_STALE_MS = 24 * 3_600_000
/** The minimum time between two fetches, whatever tokens arrive. */
const COOLDOWN_MS = 10_000
/** The same after a failed fetch. */
const RETRY_MS = 2_000
/** For how long after a failed fetch the project counts as unreachable. */
const OUTAGE_MS = 30_000

const Published = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })) })

/** The published keys. `find` resolves a token's key for jose, which accepts only a key that matches the token's header. */
export type Keys = { published: readonly JWK[]; find: JWTVerifyGetKey }

type Context = Pick<Services, 'config' | 'log' | 'now'>

const keySetCache = defineCache('hosted key set', (services) => new KeySet(services))

/** The key set of this process. */
export function keySet({ caches }: Pick<Services, 'caches'>): KeySet {
  return caches.of(keySetCache)
}

/**
 * The hosted project's public keys: fetched once, again every ten minutes, and immediately for a token with an unknown key,
 * but at most every ten seconds. While the project is unreachable the last known keys are used, for up to a day.
 */
export class KeySet {
  readonly #services: Context
  #keys: Keys | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #failedAt = Number.NEGATIVE_INFINITY
  #failure: unknown
  #reading: Promise<Keys> | undefined

  constructor(services: Context) {
    this.#services = services
  }

  /** The keys, fetched when they are unknown or too old. Throws `not_ready` when that fails. During an outage nobody waits for the known ones. */
  async current(): Promise<Keys> {
    const age = this.#now() - this.#readAt
    if (this.#keys && age < FRESH_MS) return this.#keys
    if (this.#keys && age < MAX_STALE_MS && this.#now() - this.#failedAt < OUTAGE_MS) {
      this.#read().catch(() => undefined)
      return this.#keys
    }
    try {
      return await this.#read()
    } catch (error) {
      if (this.#keys && age < MAX_STALE_MS) return this.#keys
      throw error
    }
  }

  /** The keys for a token whose key is unknown. Throws `not_ready` when fetching them fails: the token may be valid. */
  async newer(): Promise<Keys> {
    if (this.#keys && this.#now() - this.#readAt < COOLDOWN_MS) return this.#keys
    return this.#read()
  }

  async #read(): Promise<Keys> {
    if (this.#now() - this.#failedAt < RETRY_MS) throw this.#failure
    this.#reading ??= this.#fetch().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #fetch(): Promise<Keys> {
    try {
      const answer = await callProject(this.#services, '/.well-known/jwks.json')
      const parsed = Published.safeParse(answer.ok ? answer.body : null)
      if (!parsed.success) {
        this.#services.log.warn({ part: 'hosted' }, 'the hosted project publishes no key set')
        throw new ContractError('not_ready', 'The hosted sign-in service publishes no keys to verify its tokens')
      }
      const published = parsed.data.keys as JWK[]
      this.#keys = { published, find: createLocalJWKSet({ keys: published }) }
      this.#readAt = this.#now()
      this.#failedAt = Number.NEGATIVE_INFINITY
      return this.#keys
    } catch (error) {
      this.#failedAt = this.#now()
      this.#failure = error
      throw error
    }
  }

  #now(): number {
    return this.#services.now().getTime()
  }
}

import { ContractError } from '@groundswell/contract/errors.ts'
import { hash, verify } from '@node-rs/argon2'
import { defineCache } from '../../platform/caches.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { MAX_BYTES } from './rules.ts'

const MAX_CONCURRENT = 64

type PasswordCost = NonNullable<Config['passwordCost']>

/** argon2id, version 1.3, the library's defaults. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const hasherCache = defineCache('password hasher', ({ config }) => new PasswordHasher(config.passwordCost ?? COST))

/** The password hasher of this process. */
export function passwordHasher({ caches }: Pick<Services, 'caches'>): PasswordHasher {
  return caches.of(hasherCache)
}

/**
 * Hashes and checks passwords, off the event loop. Throws `too_many_requests` when too many are in progress, so that a flood cannot
 * take all the memory.
 */
class PasswordHasher {
  readonly #cost: PasswordCost
  #running = 0
  /** Verified against when there is no hash, so that an unknown account takes as long as a known one. */
  #dummyHash: Promise<string> | undefined

  constructor(cost: PasswordCost) {
    this.#cost = cost
  }

  hash(password: string): Promise<string> {
    return this.#limited(() => hash(password, this.#cost))
  }

  /** True when the password matches the hash. With no hash it takes as long and is false. */
  async check(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = Buffer.byteLength(password) <= MAX_BYTES
    this.#dummyHash ??= hash('nobody has this password', this.#cost)
    const against = passwordHash ?? (await this.#dummyHash)
    const matches = await this.#limited(() => verify(against, fits ? password : ''))
    return matches && fits && passwordHash !== null
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT)
      throw new ContractError('too_many_requests', 'Too many people are signing in: try again')
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
    }
  }
}

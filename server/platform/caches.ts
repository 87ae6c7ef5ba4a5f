import type { CacheKey, Services } from './services.ts'

/**
 * Defines state that a process holds in memory: a cache, a client, a counter. Each process has one instance, from
 * `services.caches.of(key)`. `dispose` releases what garbage collection does not: threads, sockets, timers.
 */
export function defineCache<T>(
  name: string,
  create: (services: Services) => T,
  dispose?: (value: T) => void | Promise<void>,
): CacheKey<T> {
  return { name, create, ...(dispose ? { dispose } : {}) }
}

/** The caches of one process, created at first use. */
export class Caches {
  readonly #services: () => Services
  readonly #values = new Map<CacheKey<unknown>, unknown>()
  /** The function that releases each instance, in order of creation. */
  readonly #disposers: { name: string; dispose: () => void | Promise<void> }[] = []
  readonly #creating = new Set<CacheKey<unknown>>()
  #disposed = false

  constructor(services: () => Services) {
    this.#services = services
  }

  /**
   * This process's instance. An instance whose creation failed is created again by the next call. Throws after `dispose`, and when
   * creating an instance needs that same instance.
   */
  of<T>(key: CacheKey<T>): T {
    const known = key as CacheKey<unknown>
    if (this.#values.has(known)) return this.#values.get(known) as T
    if (this.#disposed) throw new Error(`cache ${key.name} was requested after the caches were disposed`)
    if (this.#creating.has(known)) throw new Error(`cache ${key.name} depends on itself`)
    this.#creating.add(known)
    try {
      const value = key.create(this.#services())
      this.#values.set(known, value)
      this.#disposers.push({ name: key.name, dispose: () => key.dispose?.(value) })
      return value
    } finally {
      this.#creating.delete(known)
    }
  }

  /**
   * Disposes every instance, the last created first, since an instance may use those created before it. A failure does not keep the
   * others from being disposed; failures are thrown together as an `AggregateError` that names their caches.
   */
  async dispose(): Promise<void> {
    this.#disposed = true
    const failures: Error[] = []
    for (const { name, dispose } of this.#disposers.splice(0).reverse()) {
      try {
        await dispose()
      } catch (error) {
        failures.push(new Error(`cache ${name} could not be disposed`, { cause: error }))
      }
    }
    this.#values.clear()
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
  }
}

/** The services with their own caches. Only the process's composition root, and a test that acts as another process, calls this. */
export function withCaches(services: Omit<Services, 'caches'>): Services & { caches: Caches } {
  const complete: Services & { caches: Caches } = { ...services, caches: new Caches(() => complete) }
  return complete
}

import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log/log.ts'
import type { Queue } from './queue/queue.ts'
import type { Key } from './secrets/seal.ts'
import type { Threads } from './threads.ts'

/** Identifies state that a process has one instance of. Made by `defineCache`. */
export interface CacheKey<T> {
  /** For error messages. */
  readonly name: string
  create(services: Services): T
  dispose?(value: T): void | Promise<void>
}

/**
 * What the composition root of a process gives every feature. `now` is the clock, so that tests can set it. `caches` holds the
 * process's state in memory; the composition root disposes it at shutdown. `threads` is where its threads come from; `newThreads` without it.
 */
export type Services = {
  config: Config
  log: Log
  db: Database
  queue: Queue
  key: Key
  now: () => Date
  caches: { of<T>(key: CacheKey<T>): T }
  threads?: Threads
}

import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import type { Log } from './log/log.ts'
import type { Queue } from './queue/queue.ts'
import type { Key } from './secrets/seal.ts'

/** What every feature is given by the door that starts it. `now` is the clock, so that tests can set it. */
export type Services = {
  config: Config
  log: Log
  db: Database
  queue: Queue
  key: Key
  now: () => Date
}

import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { reclaim, wake } from './rows.ts'

/** How often a running job sends a heartbeat. */
export const HEARTBEAT_INTERVAL_SECONDS = 2
/** How long a job may send no heartbeat before it is given to another worker: three beats missed. */
export const HEARTBEAT_TIMEOUT_SECONDS = 7
const CHECK_INTERVAL_MS = 1000
/** A pass that is this late was delayed, by a stopped database or a sleeping machine, and so were the others' heartbeats. */
const MAX_CHECK_DELAY_MS = 3000

/**
 * Looks every second for jobs whose worker sends no heartbeat and puts them back, so that a killed worker's job
 * resumes within about ten seconds; the library's own check takes a minute. After its own delay it waits before it
 * judges others: they had no chance to send a heartbeat either.
 */
export class Reclaimer {
  readonly #pool: pg.Pool
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #lastPass = Date.now()
  #judgeFrom = 0
  #busy = false

  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool
    this.#log = log
  }

  start(): void {
    this.#lastPass = Date.now()
    this.#judgeFrom = Date.now() + HEARTBEAT_TIMEOUT_SECONDS * 1000
    this.#timer = setInterval(() => void this.#pass(), CHECK_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #pass(): Promise<void> {
    if (this.#busy) return
    const now = Date.now()
    if (now - this.#lastPass > MAX_CHECK_DELAY_MS) this.#judgeFrom = now + HEARTBEAT_TIMEOUT_SECONDS * 1000
    this.#busy = true
    try {
      if (now < this.#judgeFrom) await this.#pool.query('select 1')
      else await this.#judge()
      this.#lastPass = Date.now()
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, 'the check for dead workers failed')
    } finally {
      this.#busy = false
    }
  }

  async #judge(): Promise<void> {
    const claims = await reclaim(this.#pool, HEARTBEAT_TIMEOUT_SECONDS)
    if (claims.length === 0) return
    for (const claim of claims)
      this.#log.warn({ job: claim.name, id: claim.id }, 'a worker sent no heartbeat: its job is put back')
    await wake(this.#pool, [...new Set(claims.map((claim) => claim.name))])
  }
}

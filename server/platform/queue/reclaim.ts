import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Log } from '../log/log.ts'
import { readClock, reclaim, wake } from './rows.ts'

/** How often a running job sends a heartbeat. */
export const HEARTBEAT_INTERVAL_SECONDS = 2
/** How long a job may send no heartbeat before it is given to another worker: three beats missed. */
export const HEARTBEAT_TIMEOUT_SECONDS = 7
const NO_HEARTBEAT = 'the process that ran it ended or was cut off on its last attempt'
const CHECK_INTERVAL_MS = 1000
/**
 * A pass that is this late was delayed, by a stopped database or a sleeping machine, and so were the others' heartbeats. By the database's clock, it may
 * also have jumped: what was written before says nothing then.
 */
const MAX_CHECK_DELAY_MS = 3000

/**
 * Looks every second for jobs whose worker sends no heartbeat and puts them back, so that a killed worker's job
 * resumes within about ten seconds; on their last attempt it makes dead letters of them. After its own delay it waits
 * before it judges others: they had no chance to send a heartbeat either.
 */
export class Reclaimer {
  readonly #boss: Pick<PgBoss, 'fail'>
  readonly #pool: pg.Pool
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #lastPass = performance.now()
  #judgeFrom = 0
  #clock: Date | null = null
  #busy = false

  constructor(boss: Pick<PgBoss, 'fail'>, pool: pg.Pool, log: Log) {
    this.#boss = boss
    this.#pool = pool
    this.#log = log
  }

  start(): void {
    this.#lastPass = performance.now()
    this.#wait()
    this.#timer = setInterval(() => void this.#pass(), CHECK_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #pass(): Promise<void> {
    if (this.#busy) return
    // Not `Date.now()`, which may be set back: then no job would be put back until it is later again.
    const now = performance.now()
    if (now - this.#lastPass > MAX_CHECK_DELAY_MS) this.#wait()
    this.#busy = true
    try {
      const since = this.#clock
      const isJudging = since !== null && now >= this.#judgeFrom
      const clock = isJudging ? await this.#judge(since) : await readClock(this.#pool)
      if (since !== null && isJump(since, clock)) this.#wait()
      this.#clock = clock
      this.#lastPass = performance.now()
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, 'the check for dead workers failed')
    } finally {
      this.#busy = false
    }
  }

  /** Judges nobody until each worker had the time to send heartbeats. */
  #wait(): void {
    this.#judgeFrom = performance.now() + HEARTBEAT_TIMEOUT_SECONDS * 1000
  }

  /** Returns the time by the database's clock. */
  async #judge(since: Date): Promise<Date> {
    const { claims, last, at } = await reclaim(this.#pool, HEARTBEAT_TIMEOUT_SECONDS, {
      since,
      withinMs: MAX_CHECK_DELAY_MS,
    })
    for (const claim of last) {
      this.#log.warn({ job: claim.name, id: claim.id }, 'a worker sent no heartbeat on the last attempt of its job')
      await this.#boss.fail(claim.name, claim, { kind: 'unavailable', message: NO_HEARTBEAT })
    }
    for (const claim of claims)
      this.#log.warn({ job: claim.name, id: claim.id }, 'a worker sent no heartbeat: its job is put back')
    if (claims.length > 0) await wake(this.#pool, [...new Set(claims.map((claim) => claim.name))])
    return at
  }
}

function isJump(since: Date, clock: Date): boolean {
  const passed = clock.getTime() - since.getTime()
  return passed < 0 || passed > MAX_CHECK_DELAY_MS
}

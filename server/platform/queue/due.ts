import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { dueKinds } from './rows.ts'

/** How often the database is asked for jobs that no notification announces: those whose pause is over, and all while the process cannot listen. */
const CHECK_INTERVAL_MS = 1000

/**
 * Wakes workers whose jobs are due, by one question for all kinds. One query per worker was most of the cost of an idle installation: about
 * twenty statements a second.
 */
export class DueJobs {
  readonly #pool: pg.Pool
  readonly #log: Log
  readonly #wake: (worker: string) => void
  readonly #workers = new Map<string, string[]>()
  #timer: NodeJS.Timeout | undefined
  #busy = false

  constructor(pool: pg.Pool, log: Log, wake: (worker: string) => void) {
    this.#pool = pool
    this.#log = log
    this.#wake = wake
  }

  /** From now on this worker is woken when a job of the kind is due. */
  add(kind: string, worker: string): void {
    this.#workers.set(kind, [...(this.#workers.get(kind) ?? []), worker])
    this.#timer ??= setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      for (const kind of await dueKinds(this.#pool, [...this.#workers.keys()]))
        for (const worker of this.#workers.get(kind) ?? []) this.#wake(worker)
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, 'the check for due jobs failed')
    } finally {
      this.#busy = false
    }
  }
}

import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { type DeadLetter, discardDead, listDead } from './rows.ts'

/** The dead letters of all kinds of jobs, for an admin. */
export interface DeadLetters {
  /** Newest first. */
  list(options?: { job?: string; limit?: number }): Promise<DeadLetter[]>
  /** Sends the job again, with all its attempts. False when there is no such dead letter. */
  rerun(id: string): Promise<boolean>
  /** Deletes it. False when there is no such dead letter. */
  discard(id: string): Promise<boolean>
}

/** The queue of dead letters; nothing processes it. */
export const DEAD_QUEUE = 'dead'

const DEFAULT_LIMIT = 100
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The admin's view of the queue of dead letters. */
export function deadLetters(boss: PgBoss, pool: pg.Pool): DeadLetters {
  return {
    list: (options = {}) => listDead(pool, DEAD_QUEUE, { job: options.job, limit: options.limit ?? DEFAULT_LIMIT }),
    async rerun(id) {
      if (!UUID.test(id)) return false
      return (await boss.redrive(DEAD_QUEUE, { ids: [id] })) === 1
    },
    async discard(id) {
      if (!UUID.test(id)) return false
      return discardDead(pool, DEAD_QUEUE, id)
    },
  }
}

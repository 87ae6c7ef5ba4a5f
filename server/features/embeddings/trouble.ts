import { sql } from 'kysely'
import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import type { ModelFailure } from '../models/index.ts'
import { readDayUse } from './budget.ts'

export type Trouble = { what: string; since: Date; pausedUntil: Date | null }

const PAUSE_SECONDS = 600

/** What is wrong with the embedding model of this installation; null: nothing that is known. */
export async function readTrouble(services: Services): Promise<Trouble | null> {
  return withoutWorkspace(services.db, async (tx) => {
    const { rows } = await sql<Trouble>`
      select what, since, paused_until as "pausedUntil" from embedding_trouble`.execute(tx)
    return rows[0] ?? null
  })
}

/** True while the model is not to be asked: it rests after a failure, or the day's budget is used up. */
export async function isPaused(services: Services): Promise<boolean> {
  const until = (await readTrouble(services))?.pausedUntil
  if (until && until > services.now()) return true
  return (await readDayUse(services))?.spent ?? false
}

/**
 * Notes a failure for operators, and has nobody ask for a while: as long as the provider wants when it asks for a pause, else so
 * many seconds.
 */
export async function noteTrouble(services: Services, failure: ModelFailure, seconds = PAUSE_SECONDS): Promise<void> {
  const now = services.now()
  const pause = failure.kind === 'rate-limited' ? (failure.retryAfter ?? seconds) : seconds
  const until = new Date(now.getTime() + pause * 1000)
  const news = await withoutWorkspace(services.db, (tx) => write(tx, failure.message, until, now))
  if (news) services.log.warn({ err: failure.message }, 'the embedding model is away: new feedback is grouped by words')
}

/** Notes that the model answers. */
export async function clearTrouble(services: Services): Promise<void> {
  const gone = await withoutWorkspace(services.db, (tx) => sql`delete from embedding_trouble`.execute(tx))
  if (Number(gone.numAffectedRows) > 0) services.log.info('the embedding model answers again')
}

async function write(tx: Tx, what: string, until: Date, now: Date): Promise<boolean> {
  const before = await sql<{ what: string }>`select what from embedding_trouble for update`.execute(tx)
  await sql`
    insert into embedding_trouble as t (what, since, paused_until)
    values (${what}, ${now}::timestamptz, ${until}::timestamptz)
    on conflict (one) do update set what = excluded.what, paused_until = greatest(t.paused_until, excluded.paused_until),
      since = case when t.what = excluded.what then t.since else excluded.since end`.execute(tx)
  return before.rows[0]?.what !== what
}

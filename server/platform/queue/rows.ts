import type pg from 'pg'
import { QUEUE_SCHEMA } from './schema.ts'
import { MAX_SENDERS, SENDERS, sendersIn } from './senders.ts'

/** A job that failed after all its retries, or was refused permanently. */
export interface DeadLetter {
  id: string
  /** The kind of job. */
  job: string
  data: unknown
  sentAt: Date
  diedAt: Date
  tries: number
  /** Why it died. */
  kind: string
  message: string
}

/** One claim of a job by a worker: the job and its attempt. A later claim has a higher `retryCount`. */
export interface Claim {
  id: string
  name: string
  retryCount: number
}

/** Anything statements can be run on: the pool, or a transaction of the caller's. */
export interface Runs {
  query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount?: number | null }>
}

/**
 * Puts a claimed job back, to be run after a pause. With `free` the run does not count as an attempt. Does nothing when
 * the claim has passed to another worker meanwhile.
 */
export async function putBack(pool: pg.Pool, claim: Claim, seconds: number, free: boolean): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update ${QUEUE_SCHEMA}.job
     set state = 'retry', heartbeat_on = null, start_after = now() + $4 * interval '1 second',
       keep_until = greatest(keep_until, now() + ($4 + 30 * 86400) * interval '1 second'),
       started_on = case when $5 then null else started_on end
     where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
    [claim.name, claim.id, claim.retryCount, seconds, free],
  )
  return rowCount === 1
}

/** The time by the database's clock. */
export async function readClock(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>('select now() as at')
  return rows[0]?.at ?? new Date(NaN)
}

/** What `reclaim` found, and when by the database's clock. */
export interface Reclaimed {
  /** Jobs that were put back. */
  claims: Claim[]
  /** Jobs that were not, because they are on their last attempt. */
  last: Claim[]
  at: Date
}

/**
 * Puts back the jobs of workers that have sent no heartbeat for that long, and those whose last one is as far in the future, from before the clock was
 * set back. Only while the database's clock is at most `withinMs` later than `since`: otherwise it jumped, or nobody could send one meanwhile. Jobs on
 * their last attempt are only returned.
 */
export async function reclaim(
  pool: pg.Pool,
  silentSeconds: number,
  { since, withinMs }: { since: Date; withinMs: number },
): Promise<Reclaimed> {
  const { rows } = await pool.query<{ at: Date } & ((Claim & { isLast: boolean }) | { id: null })>(
    `with silent as (
       select name, id, retry_count, retry_count >= retry_limit as is_last from ${QUEUE_SCHEMA}.job_common
       where state = 'active'
         and heartbeat_on not between now() - $1 * interval '1 second' and now() + $1 * interval '1 second'
         and now() between $2 and $2 + $3 * interval '1 millisecond'
       for update skip locked
     ), reclaimed as (
       update ${QUEUE_SCHEMA}.job job
       set state = 'retry', heartbeat_on = null, start_after = now()
       from silent
       where job.name = silent.name and job.id = silent.id and not silent.is_last
       returning job.id
     )
     select now() as at, silent.id, silent.name, silent.retry_count as "retryCount", silent.is_last as "isLast"
     from (select) one left join silent on silent.is_last or silent.id in (select id from reclaimed)`,
    [silentSeconds, since, withinMs],
  )
  const found = rows.flatMap((row) => (row.id === null ? [] : [row]))
  const claimsOf = (isLast: boolean) =>
    found.filter((row) => row.isLast === isLast).map(({ id, name, retryCount }): Claim => ({ id, name, retryCount }))
  return { claims: claimsOf(false), last: claimsOf(true), at: rows[0]?.at ?? since }
}

/** Wakes the workers of a queue, as the library does for new jobs. */
export async function wake(pool: pg.Pool, names: string[]): Promise<void> {
  await pool.query(
    `select pg_notify('pgboss_' || left(encode(sha224($1::bytea), 'hex'), 24), name) from unnest($2::text[]) name`,
    [QUEUE_SCHEMA, names],
  )
}

/**
 * A waiting job of the same kind and key that is due, locked until the caller's transaction ends so that no
 * worker starts it before what the caller wrote is visible. Null when there is none. `sender`: becomes one more of its senders.
 */
export async function findWaiting(runs: Runs, name: string, key: string, sender?: string): Promise<string | null> {
  if (sender !== undefined) return joinWaiting(runs, name, key, sender, 'start_after <= now()')
  const { rows } = await runs.query(
    `select id from ${QUEUE_SCHEMA}.job
     where name = $1 and singleton_key = $2 and state = 'created' and start_after <= now()
     order by created_on desc limit 1 for share skip locked`,
    [name, key],
  )
  return (rows[0]?.id as string | undefined) ?? null
}

/** Adds one more sender to a job of the kind and key that waits until later, if there is one. */
export async function joinLater(runs: Runs, name: string, key: string, sender: string): Promise<void> {
  await joinWaiting(runs, name, key, sender, 'start_after > now()')
}

/** The senders of the jobs of a kind and key that wait and are due. */
export async function waitingSenders(runs: Runs, name: string, key: string): Promise<string[]> {
  const { rows } = await runs.query(
    `select data from ${QUEUE_SCHEMA}.job
     where name = $1 and singleton_key = $2 and state = 'created' and start_after <= now()
     order by created_on desc limit $3`,
    [name, key, MAX_SENDERS],
  )
  return rows.flatMap(({ data }) => sendersIn(data))
}

/**
 * Of each trace one sender is enough. Locked like a job that is found, but by one transaction at a time: a second one finds none, and sends
 * its own job.
 */
async function joinWaiting(
  runs: Runs,
  name: string,
  key: string,
  sender: string,
  due: 'start_after <= now()' | 'start_after > now()',
): Promise<string | null> {
  const { rows } = await runs.query(
    `update ${QUEUE_SCHEMA}.job job
     set data = case
       when jsonb_array_length(waiting.senders) >= $4 or exists (
         select from jsonb_array_elements_text(waiting.senders) known where substr(known, 4, 32) = substr($3, 4, 32)
       ) then job.data
       else jsonb_set(job.data, '{${SENDERS}}', waiting.senders || to_jsonb($3::text)) end
     from (
       select name, id, coalesce(data->'${SENDERS}', '[]') as senders from ${QUEUE_SCHEMA}.job
       where name = $1 and singleton_key = $2 and state = 'created' and ${due}
       order by created_on desc limit 1 for update skip locked
     ) waiting
     where job.name = waiting.name and job.id = waiting.id
     returning job.id`,
    [name, key, sender, MAX_SENDERS],
  )
  return (rows[0]?.id as string | undefined) ?? null
}

/** Those of the kinds that have a job that waits and is due. */
export async function dueKinds(runs: Runs, kinds: string[]): Promise<string[]> {
  const { rows } = await runs.query(
    `select kind from unnest($1::text[]) kind where exists (
       select from ${QUEUE_SCHEMA}.job_common
       where name = kind and state < 'active' and not blocked and start_after <= now())`,
    [kinds],
  )
  return rows.map((row) => row.kind as string)
}

/** Whether another job of this kind waits and is due. */
export async function isAnotherDue(runs: Runs, name: string, id: string | undefined): Promise<boolean> {
  const { rows } = await runs.query(
    `select id from ${QUEUE_SCHEMA}.job
     where name = $1 and state in ('created', 'retry') and start_after <= now() and id is distinct from $2::uuid limit 1`,
    [name, id],
  )
  return rows.length > 0
}

/** Dead letters, newest first. */
export async function listDead(
  pool: pg.Pool,
  deadQueue: string,
  filter: { job?: string; limit: number },
): Promise<DeadLetter[]> {
  const { rows } = await pool.query<Omit<DeadLetter, 'kind' | 'message'> & { output: unknown }>(
    `select id, source_name as job, data, source_created_on as "sentAt", created_on as "diedAt",
       source_retry_count + 1 as tries, source_output as output
     from ${QUEUE_SCHEMA}.job
     where name = $1 and state = 'created' and ($2::text is null or source_name = $2)
     order by created_on desc limit $3`,
    [deadQueue, filter.job ?? null, filter.limit],
  )
  return rows.map(({ output, ...letter }) => ({ ...letter, ...readOutput(output) }))
}

/** Removes one dead letter; false when it is not there. */
export async function discardDead(pool: pg.Pool, deadQueue: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from ${QUEUE_SCHEMA}.job where name = $1 and id = $2 and state = 'created'`,
    [deadQueue, id],
  )
  return rowCount === 1
}

/** Ours is `{ kind, message }`; the library's own, for example for a run that took too long, is `{ value: { message } }`. */
function readOutput(output: unknown): { kind: string; message: string } {
  const own = (output ?? {}) as { kind?: unknown; message?: unknown; value?: { message?: unknown } }
  const message = own.message ?? own.value?.message
  return {
    kind: typeof own.kind === 'string' ? own.kind : 'unavailable',
    message: typeof message === 'string' ? message : 'no reason was recorded',
  }
}

/** Deletes the waiting, finished and failed jobs whose data names this workspace, except those of these kinds. */
export async function discardOf(pool: pg.Pool, workspaceId: string, except: readonly string[]): Promise<void> {
  await pool.query(
    `delete from ${QUEUE_SCHEMA}.job
     where data ->> 'workspaceId' = $1 and state <> 'active' and name <> all($2::text[])`,
    [workspaceId, except],
  )
}

/** Whether a job of these kinds that names this workspace still waits or runs; without kinds, whether any other job runs. */
export async function hasUnfinished(
  pool: pg.Pool,
  workspaceId: string,
  which: { kinds: readonly string[] } | { besides: string },
): Promise<boolean> {
  const [condition, value] =
    'kinds' in which
      ? [`name = any($2::text[]) and state in ('created', 'retry', 'active')`, which.kinds]
      : [`id <> $2::uuid and state = 'active'`, which.besides]
  const { rows } = await pool.query(
    `select id from ${QUEUE_SCHEMA}.job where data ->> 'workspaceId' = $1 and ${condition} limit 1`,
    [workspaceId, value],
  )
  return rows.length > 0
}

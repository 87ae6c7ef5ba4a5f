import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { within } from '../within.ts'
import { HEARTBEAT_TIMEOUT_SECONDS } from './reclaim.ts'
import { wake } from './rows.ts'
import { QUEUE_SCHEMA } from './schema.ts'
import { TAKES_JOB } from './taking.ts'

/** Jobs of another worker's key count as due this much later, so that no worker that is busy or frozen delays them for longer. */
const OTHERS_DELAY_SECONDS = 5
/** Leases last as long as a job whose worker is silent: they are over when its jobs are put back. */
const LEASE_SECONDS = HEARTBEAT_TIMEOUT_SECONDS
const RENEW_MS = 2_000
const FORGET = `interval '1 minute'`
const RELEASE_MS = 2_000

/**
 * Which keys this process has leased: it has in memory what their jobs need, and other processes leave them to it. A lease lasts
 * while the process takes jobs; its clock is that of the database. It is a preference only: nothing goes wrong when two processes believe that they
 * have one.
 */
export class Leases {
  readonly #pool: pg.Pool
  readonly #log: Log
  readonly #worker = randomUUID()
  readonly #kinds = new Set<string>()
  #any = false
  #ended = false
  #renewedAt = 0

  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool
    this.#log = log
  }

  /** From now on this process takes jobs of the kind, those of its own keys first. */
  takes(kind: string): void {
    this.#kinds.add(kind)
  }

  /** Runs the library's statement that takes a job. For such a kind it leaves those of other workers' keys to them. */
  async take(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    const kind = [...this.#kinds].find((name) => text.includes(`j.name = '${name}'`))
    if (!kind) return this.#pool.query(text, values)
    await this.#renew()
    return this.#pool.query(leavingOthers(text, kind, `$${values.length + 1}`), [...values, this.#worker])
  }

  /** Leases a key, even if another process has it. Does nothing in a process that takes no such jobs. A failure is logged, not thrown. */
  async lease(key: string): Promise<void> {
    if (this.#ended || this.#kinds.size === 0) return
    try {
      if (!this.#any) await this.#pool.query(`delete from public.job_worker where until < now() - ${FORGET}`)
      this.#any = true
      this.#renewedAt = performance.now()
      await this.#pool.query(
        `with worker as (
          insert into public.job_worker as w (id, until) values ($1, now() + ${LEASE_SECONDS} * interval '1 second')
          on conflict (id) do update set until = excluded.until
        )
        insert into public.job_lease as l (key, worker) values ($2, $1)
        on conflict (key) do update set worker = excluded.worker where l.worker <> excluded.worker`,
        [this.#worker, key],
      )
    } catch (error) {
      this.#log.debug({ key, err: (error as Error).message }, 'a key was not leased')
    }
  }

  /** Releases all keys: another process leases them with their next jobs. */
  async release(): Promise<void> {
    this.#ended = true
    if (!this.#any) return
    await within(this.#release(), RELEASE_MS)
  }

  async #release(): Promise<void> {
    try {
      await this.#pool.query('delete from public.job_worker where id = $1', [this.#worker])
      await wake(this.#pool, [...this.#kinds])
    } catch (error) {
      this.#log.debug({ err: (error as Error).message }, 'the leases were not released: they expire')
    }
  }

  /** Called when this process is about to take a job: one that can take none loses its keys. */
  async #renew(): Promise<void> {
    if (!this.#any || this.#ended || performance.now() - this.#renewedAt < RENEW_MS) return
    this.#renewedAt = performance.now()
    await this.#pool.query(
      `update public.job_worker set until = now() + ${LEASE_SECONDS} * interval '1 second' where id = $1`,
      [this.#worker],
    )
  }
}

/**
 * Adds to the library's statement that jobs of other workers' keys count as due later than they are: they are left until then, and while a
 * job of our own has been due for longer than that. Without such jobs the added part costs one look into an index.
 */
function leavingOthers(text: string, kind: string, worker: string): string {
  const jobs = `${QUEUE_SCHEMA}.job_common`
  const ofOthers = (job: string) => `exists (
    select from public.job_lease lease join public.job_worker holder on holder.id = lease.worker
    where lease.key = ${job}.group_id and holder.id <> ${worker}::uuid and holder.until > now())`
  const oldestOfOurs = `
    select ours.start_after from ${jobs} ours
    where ours.name = '${kind}' and ours.state < 'active' and not ours.blocked and ours.start_after <= now()
      and not ${ofOthers('ours')}
      and not exists (
        select from ${jobs} running
        where running.name = '${kind}' and running.state = 'active' and running.group_id = ours.group_id)
    order by ours.priority desc, ours.created_on limit 1`
  return text.replace(
    TAKES_JOB,
    () => `${TAKES_JOB}
      AND (not ${ofOthers('j')}
        or j.start_after + ${OTHERS_DELAY_SECONDS} * interval '1 second' <= least(now(), (${oldestOfOurs})))`,
  )
}

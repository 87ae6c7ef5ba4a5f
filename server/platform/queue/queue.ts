import { CompiledQuery } from 'kysely'
import { type SendOptions as BossSendOptions, fromKysely, PgBoss } from 'pg-boss'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/tenant.ts'
import type { Log } from '../log/log.ts'
import { currentParent } from '../traces/spans.ts'
import { within } from '../within.ts'
import { DEAD_QUEUE, type DeadLetters, deadLetters } from './dead.ts'
import type { Job } from './job.ts'
import { Leases } from './leases.ts'
import { Reclaimer } from './reclaim.ts'
import { discardOf, findWaiting, hasUnfinished, isAnotherDue, joinLater, type Runs, waitingSenders } from './rows.ts'
import { QUEUE_SCHEMA } from './schema.ts'
import { withSender } from './senders.ts'
import { TAKES_JOB, takeJobs } from './taking.ts'
import { type Handler, Worker } from './worker.ts'

export { defineJob, type Job } from './job.ts'
export type { DeadLetter } from './rows.ts'
export type { Handler } from './worker.ts'

interface SendOptions {
  /** Send in this transaction: the job exists if and only if the transaction commits. */
  tx?: Tx
  /** The key of a serial job, and of `once` and `singletonSeconds`. */
  key?: string
  /** Not before this time, or not within this many seconds. */
  startAfter?: Date | number
  /** True: if a job with the same key is already waiting, nothing is sent and its id is returned. */
  once?: boolean
  /** At most one job with the key is accepted in each period of this many seconds; the others are dropped. */
  singletonSeconds?: number
}

/** Jobs on PostgreSQL: sent in transactions, run by any number of processes, each at least once. */
export interface Queue {
  /** The job's id, or null when `singletonSeconds` dropped it. Throws ZodError for data that is not the job's. */
  send<T>(job: Job<T>, data: T, options?: SendOptions): Promise<string | null>
  /** Starts running jobs of a kind in this process, until `stop`. */
  work<T>(job: Job<T>, handler: Handler<T>, options?: WorkOptions): Promise<void>
  work(worker: JobWorker): Promise<void>
  /** Sends the job at the times of a cron expression in UTC, once for all processes; replaces the key's schedule. */
  schedule<T>(job: Job<T>, cron: string, data: T, options?: { key?: string }): Promise<void>
  unschedule<T>(job: Job<T>, options?: { key?: string }): Promise<void>
  /** Whether, beside this one, another job of the kind waits and is due. */
  isAnotherWaiting(job: Pick<Job<never>, 'name'>, id: string): Promise<boolean>
  /** What the queue holds about a workspace. */
  ofWorkspace: {
    /** Deletes its jobs, also finished and failed ones, except running ones and those of these kinds. */
    discard(workspaceId: string, options?: { except?: readonly Pick<Job<never>, 'name'>[] }): Promise<void>
    /** Whether a job of these kinds waits or runs. */
    awaits(workspaceId: string, kinds: readonly Pick<Job<never>, 'name'>[]): Promise<boolean>
    /** Whether a job runs, beside this one. */
    isBusy(workspaceId: string, id: string): Promise<boolean>
  }
  /** The `traceparent` of the senders of the waiting, due jobs of a kind and key. */
  waitingSenders(job: Pick<Job<never>, 'name'>, key: string): Promise<string[]>
  /**
   * This process has in memory what jobs with the key need: of kinds that are `leased`, other processes leave them to it, unless it stops, takes no
   * jobs for some seconds, or lets one wait for that long. Only a preference: a job may always run elsewhere.
   */
  lease(key: string): Promise<void>
  dead: DeadLetters
  /**
   * Takes no more jobs, waits for running ones, and puts back what still runs after this many seconds (default 15). Jobs can
   * still be sent.
   */
  drain(options?: { graceSeconds?: number }): Promise<void>
  /** Does that, and closes the queue's connections. */
  stop(options?: { graceSeconds?: number }): Promise<void>
}

/** A kind of job with its handler, so that a feature can return a list of them. */
export interface JobWorker {
  name: string
  start(queue: Queue): Promise<void>
}

/** Puts a job and its handler together, for `queue.work`. */
export function jobWorker<T>(job: Job<T>, handler: Handler<T>, options: WorkOptions = {}): JobWorker {
  return { name: job.name, start: (queue) => queue.work(job, handler, options) }
}

interface WorkOptions {
  /** How many jobs of the kind run at once in this process; 1 by default. */
  concurrency?: number
  /** False: its runs are not traced, and what they send starts its own trace. */
  isTraced?: boolean
}

/** What a queue works with. */
export interface QueueOptions {
  /** A migrated database. The queue has its own connections to the server itself. */
  db: Pick<Database, 'directPool' | 'listen'>
  log: Log
  /** False for a process that only sends: it neither runs schedules nor reclaims the jobs of dead workers. Default true. */
  maintain?: boolean
  /** The most connections that it holds (default 5). */
  connections?: number
}

const YEAR_SECONDS = 365 * 86_400
const KEEP_FINISHED_SECONDS = 86_400
/**
 * When the library's own checks give up a job that sends no heartbeat or takes too long. They judge by the database's clock alone, so that after an outage
 * or a jump of that clock they would give up jobs whose workers are well, and make dead letters of those on their last attempt.
 */
const LIBRARY_SECONDS = 86_400
const SUPERVISE_SECONDS = 30
const CONNECTIONS = 5
const GRACE_SECONDS = 15

/** How long the library may take to stop once no job runs, before its connections are cut. */
const LIBRARY_STOP_MS = 1_000

/** Opens the queue in a migrated database. The library works as the app's role, over our connections. */
export async function createQueue(options: QueueOptions): Promise<Queue> {
  const { db } = options
  const log = options.log.child({ part: 'queue' })
  const maintain = options.maintain ?? true
  const pool = db.directPool(options.connections ?? CONNECTIONS, 'groundswell queue')
  const leases = new Leases(pool, log)
  const boss: PgBoss = new PgBoss({
    db: {
      executeSql: (text, values) =>
        text.includes(TAKES_JOB) ? takeJobs(boss, () => leases.take(text, values)) : pool.query(text, values),
      async listen(channel, onMessage, onReconnect) {
        const stopListening = await db.listen(channel, onMessage, { onReconnect })
        return { close: stopListening }
      },
    },
    schema: QUEUE_SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: maintain,
    supervise: maintain,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    cronMonitorIntervalSeconds: 10,
    useListenNotify: true,
    reindex: false,
  })
  boss.on('error', (error) => log.warn({ err: error.message }, 'the queue reported an error'))
  boss.on('warning', (warning) => log.debug({ warning: warning.message }, 'the queue reported a warning'))
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false })
    await pool.close()
    throw error
  }
  const reclaimer = new Reclaimer(boss, pool, log)
  if (maintain) reclaimer.start()

  const known = new Map<string, Promise<void>>()
  const ensure = (job: Job<never>): Promise<void> => {
    const found = known.get(job.name)
    if (found) return found
    const made = ensureQueue(boss, job)
    known.set(job.name, made)
    made.catch(() => known.delete(job.name))
    return made
  }

  const worker = new Worker(boss, pool, log)
  let draining: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const queue: Queue = {
    async send(job, data, sendOptions = {}) {
      const checked = job.schema.parse(data)
      await ensure(job as Job<never>)
      const { tx, key } = sendOptions
      const runs = tx ? runsOn(tx) : pool
      const sender = currentParent()
      if (sendOptions.once && key !== undefined) {
        const waiting = await findWaiting(runs, job.name, key, sender)
        if (waiting !== null) return waiting
      }
      const sent = await boss.send(
        job.name,
        withSender(checked as object, sender),
        toBoss(job as Job<never>, sendOptions),
      )
      if (sent === null && sender !== undefined && key !== undefined) await joinLater(runs, job.name, key, sender)
      return sent
    },
    async work<T>(job: Job<T> | JobWorker, handler?: Handler<T>, workOptions: WorkOptions = {}) {
      if ('start' in job) return job.start(queue)
      if (!handler) throw new TypeError(`there is no handler for ${job.name}`)
      await ensure(job as Job<never>)
      if (job.leased) leases.takes(job.name)
      await worker.work({ job, handler, isTraced: workOptions.isTraced ?? true }, workOptions.concurrency ?? 1)
    },
    async schedule(job, cron, data, scheduleOptions = {}) {
      const checked = job.schema.parse(data)
      await ensure(job as Job<never>)
      const { key } = scheduleOptions
      await boss.schedule(job.name, cron, checked as object, {
        ...toBoss(job as Job<never>, { key }),
        tz: 'UTC',
        missed: 'once',
        ...(key === undefined ? {} : { key }),
      })
    },
    async unschedule(job, scheduleOptions = {}) {
      await boss.unschedule(job.name, scheduleOptions.key)
    },
    isAnotherWaiting: (job, id) => isAnotherDue(pool, job.name, id),
    ofWorkspace: {
      discard: (workspaceId, { except = [] } = {}) =>
        discardOf(
          pool,
          workspaceId,
          except.map(({ name }) => name),
        ),
      awaits: (workspaceId, kinds) => hasUnfinished(pool, workspaceId, { kinds: kinds.map(({ name }) => name) }),
      isBusy: (workspaceId, id) => hasUnfinished(pool, workspaceId, { besides: id }),
    },
    waitingSenders: (job, key) => waitingSenders(pool, job.name, key),
    lease: (key) => leases.lease(key),
    dead: deadLetters(boss, pool),
    drain(drainOptions = {}) {
      draining ??= (async () => {
        const stopped = worker.stop((drainOptions.graceSeconds ?? GRACE_SECONDS) * 1000)
        await Promise.all([stopped, leases.release()])
      })()
      return draining
    },
    stop(stopOptions = {}) {
      stopping ??= (async () => {
        reclaimer.stop()
        await queue.drain(stopOptions)
        await within(boss.stop({ graceful: false }), LIBRARY_STOP_MS)
        await pool.close()
      })()
      return stopping
    },
  }
  return queue
}

function toBoss(job: Job<never>, options: SendOptions): BossSendOptions {
  const { tx, key, startAfter, singletonSeconds } = options
  return {
    ...(key === undefined ? {} : { singletonKey: key }),
    ...(job.serial ? { group: { id: key ?? 'all' } } : {}),
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(singletonSeconds === undefined ? {} : { singletonSeconds }),
    ...(tx === undefined ? {} : { db: fromKysely(tx) }),
  }
}

/** Creates the job's queue, or updates its settings to those of the code. */
async function ensureQueue(boss: PgBoss, job: Job<never>): Promise<void> {
  if (!(await boss.getQueue(DEAD_QUEUE))) {
    await boss.createQueue(DEAD_QUEUE, { retentionSeconds: YEAR_SECONDS })
  }
  const settings = {
    retryLimit: job.tries - 1,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: LIBRARY_SECONDS,
    retentionSeconds: YEAR_SECONDS,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    heartbeatSeconds: LIBRARY_SECONDS,
    deadLetter: DEAD_QUEUE,
    notify: true,
  }
  const found = await boss.getQueue(job.name)
  if (!found) {
    await boss.createQueue(job.name, { ...settings, policy: 'standard' })
    return
  }
  const kept = found as unknown as Record<string, unknown>
  if (Object.entries(settings).some(([name, value]) => kept[name] !== value)) await boss.updateQueue(job.name, settings)
}

function runsOn(tx: Tx): Runs {
  return {
    async query(text, values) {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values))
      return { rows: rows as Record<string, unknown>[] }
    },
  }
}

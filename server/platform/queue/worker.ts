import type pg from 'pg'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Log } from '../log/log.ts'
import { inStart, type Start } from '../traces/spans.ts'
import { within } from '../within.ts'
import { DueJobs } from './due.ts'
import { readFailure } from './failure.ts'
import { type Job, jittered } from './job.ts'
import { HEARTBEAT_INTERVAL_SECONDS } from './reclaim.ts'
import { type Claim, putBack } from './rows.ts'
import { sendersIn, withoutSenders } from './senders.ts'

/** One run of a job. */
export interface JobRun {
  id: string
  /** The number of this attempt, from 1. */
  attempt: number
  /** True: if this one fails with `unavailable`, the job becomes a dead letter. */
  lastAttempt: boolean
  /** Aborted when the process stops or another worker has the job: anything done after that may be done twice. */
  signal: AbortSignal
  log: Log
}

/** How a kind of job is run. */
export interface Working<T> {
  job: Job<T>
  handler: Handler<T>
  /** False: its runs are not traced, and what they send starts its own trace. */
  isTraced: boolean
}

/** Handles a job and returns when it is done; an error's `kind` and `retryAfter` decide what happens after a failure. */
export type Handler<T> = (data: T, run: JobRun) => Promise<void>

/** Workers of leased kinds poll: by that they keep their leases, even while nothing is due. */
const LEASED_POLL_SECONDS = 2
/** The others are woken when a job is due. */
const POLL_SECONDS = 60
/** The time that a stopping process gives handlers to react to their signal, in addition to the grace. */
const ABORT_GRACE_MS = 1000
/** How long putting jobs back may take, in addition: without it they are reclaimed a little later. */
const PUT_BACK_MS = 2_000
const MIN_PAUSE_SECONDS = 1

/** Runs jobs in this process and settles them by how they ended. */
export class Worker {
  readonly #boss: PgBoss
  readonly #pool: pg.Pool
  readonly #log: Log
  readonly #running = new Map<string, Claim>()
  readonly #names = new Set<string>()
  readonly #stop = new AbortController()
  readonly #due: DueJobs

  constructor(boss: PgBoss, pool: pg.Pool, log: Log) {
    this.#boss = boss
    this.#pool = pool
    this.#log = log
    this.#due = new DueJobs(pool, log, (worker) => boss.notifyWorker(worker))
  }

  async work<T>(working: Working<T>, concurrency: number): Promise<void> {
    const { job } = working
    this.#names.add(job.name)
    const pollSeconds = job.leased ? LEASED_POLL_SECONDS : POLL_SECONDS
    const options = {
      includeMetadata: true,
      perJobResults: true,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: HEARTBEAT_INTERVAL_SECONDS,
      ...(job.serial ? { groupConcurrency: 1 } : {}),
    } as const
    for (let started = 0; started < concurrency; started += 1) {
      // The library would sleep between two jobs; woken as soon as one is done, it fetches the next immediately.
      const settle = async (claimed: JobWithMetadata<object>[]): Promise<JobResult[]> => {
        const results = await Promise.all(claimed.map((one) => this.#run(working, one)))
        this.#boss.notifyWorker(worker)
        return results
      }
      const worker: string = await this.#boss.work<object, JobResult[], typeof options>(job.name, options, settle)
      this.#due.add(job.name, worker)
    }
  }

  /** Waits for running jobs; then aborts them; then puts them back, without counting an attempt. */
  async stop(graceMs: number): Promise<void> {
    this.#due.stop()
    const idle = Promise.all([...this.#names].map((name) => this.#boss.offWork(name, { wait: true })))
    idle.catch((error: Error) => this.#log.warn({ err: error.message }, 'a queue did not stop cleanly'))
    const ended = await within(idle, graceMs)
    this.#stop.abort()
    if (!ended) await within(idle, ABORT_GRACE_MS)
    await within(Promise.all([...this.#running.values()].map((claim) => this.#return(claim))), PUT_BACK_MS)
  }

  async #return(claim: Claim): Promise<void> {
    this.#log.warn({ job: claim.name, id: claim.id }, 'a job was still running at shutdown: it is put back')
    await putBack(this.#pool, claim, 0, true).catch((error: Error) =>
      this.#log.warn(
        { id: claim.id, err: error.message },
        'a job could not be put back; it is reclaimed once its heartbeat is overdue',
      ),
    )
  }

  async #run<T>({ job, handler, isTraced }: Working<T>, claimed: JobWithMetadata<object>): Promise<JobResult> {
    const claim: Claim = { id: claimed.id, name: job.name, retryCount: claimed.retryCount }
    const log = this.#log.child({ job: job.name, id: claim.id })
    const overdue = new AbortController()
    const run: JobRun = {
      id: claim.id,
      attempt: claim.retryCount + 1,
      lastAttempt: claim.retryCount >= claimed.retryLimit,
      signal: AbortSignal.any([claimed.signal, this.#stop.signal, overdue.signal]),
      log,
    }
    this.#running.set(claim.id, claim)
    try {
      const data = job.schema.safeParse(withoutSenders(claimed.data))
      if (!data.success) {
        const message = `the job's data is not what the program expects: ${data.error.issues[0]?.path.join('.')}`
        return { id: claim.id, status: 'deadletter', output: { kind: 'rejected', message } }
      }
      const work = () => handler(data.data, run)
      const working = isTraced ? inStart(startOf(run, job.name, claimed.data), work) : work()
      if (!(await within(working, job.timeout * 1000))) {
        overdue.abort()
        throw new Error(`it took longer than ${job.timeout} s`)
      }
      await working
      return { id: claim.id, status: 'completed' }
    } catch (error) {
      return await this.#fail(job, claim, run, error)
    } finally {
      this.#running.delete(claim.id)
    }
  }

  /**
   * Decides by the failure's kind. A job that is put back is no longer claimed, so the result returned for it finds
   * nothing to settle; the same holds for one that another worker has taken.
   */
  async #fail<T>(job: Job<T>, claim: Claim, run: JobRun, error: unknown): Promise<JobResult> {
    if (this.#stop.signal.aborted) {
      await putBack(this.#pool, claim, 0, true)
      return { id: claim.id, status: 'completed' }
    }
    const failure = readFailure(error)
    const output = { kind: failure.kind, message: failure.message }
    if (failure.kind === 'auth' || failure.kind === 'rejected' || (failure.kind === 'unavailable' && run.lastAttempt)) {
      run.log.warn({ kind: failure.kind, attempt: run.attempt, err: failure.message }, 'a job failed permanently')
      return { id: claim.id, status: 'deadletter', output }
    }
    const free = failure.kind === 'rate-limited'
    const asked = failure.retryAfter ?? 0
    const pause = free && asked > 0 ? asked + Math.random() : Math.max(asked, jittered(job.pause(run.attempt)))
    run.log.info(
      { kind: failure.kind, attempt: run.attempt, pause, err: failure.message },
      'a job failed and will be retried',
    )
    await putBack(this.#pool, claim, free ? Math.max(MIN_PAUSE_SECONDS, pause) : pause, free)
    return { id: claim.id, status: 'completed' }
  }
}

function startOf({ id, attempt }: JobRun, name: string, data: object): Start {
  return {
    name: `job ${name}`,
    kind: 'consumer',
    facts: { 'messaging.destination.name': name, 'groundswell.job': id, 'groundswell.attempt': attempt },
    from: sendersIn(data),
  }
}

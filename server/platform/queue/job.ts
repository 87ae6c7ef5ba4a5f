import type { z } from 'zod'

/** A kind of job: what its data is, and how it is run and retried. */
export interface Job<T> {
  /** Letters, digits, `-`, `_` and `.`; it never changes, since jobs of it may be waiting in a database. */
  name: string
  schema: z.ZodType<T>
  /** True: of the jobs with the same key one runs at a time, over all processes; other keys run beside it. */
  serial: boolean
  /** True: a process that has leased a job's key (`queue.lease`) is preferred to others. */
  leased: boolean
  /** How many attempts in all before it becomes a dead letter. */
  tries: number
  /** Seconds to wait after the nth failed attempt (from 1), before jitter. */
  pause: (failedTries: number) => number
  /** Seconds that one run may take; then its signal is aborted and the attempt has failed. */
  timeout: number
}

interface JobOptions<T> {
  name: string
  schema: z.ZodType<T>
  serial?: boolean
  /** Only for serial jobs. */
  leased?: boolean
  tries?: number
  /** A list of pauses in seconds, the last one repeated, or a function; by default 1 s, doubling up to 15 min. */
  pauses?: number[] | ((failedTries: number) => number)
  timeout?: number
}

const DEFAULT_TRIES = 10
const DEFAULT_TIMEOUT_SECONDS = 15 * 60
const MAX_PAUSE_SECONDS = 15 * 60

/** Declares a kind of job. Declared once, at the top of the feature's file that both sends and runs it. */
export function defineJob<T>(options: JobOptions<T>): Job<T> {
  if (!/^[A-Za-z0-9_.-]+$/.test(options.name)) throw new RangeError(`${options.name} cannot be the name of a job`)
  if (options.leased && !options.serial)
    throw new TypeError(`${options.name} has no key to lease: declare it as serial`)
  return {
    name: options.name,
    schema: options.schema,
    serial: options.serial ?? false,
    leased: options.leased ?? false,
    tries: options.tries ?? DEFAULT_TRIES,
    pause: readPauses(options.pauses),
    timeout: options.timeout ?? DEFAULT_TIMEOUT_SECONDS,
  }
}

function readPauses(pauses: JobOptions<unknown>['pauses']): (failedTries: number) => number {
  if (typeof pauses === 'function') return pauses
  if (pauses && pauses.length > 0) return (failed) => pauses[Math.min(failed, pauses.length) - 1] ?? 0
  return (failed) => Math.min(MAX_PAUSE_SECONDS, 2 ** (failed - 1))
}

/** Spreads a pause over 50% to 100% of itself, so that jobs that failed together are not retried together. */
export function jittered(seconds: number, random: () => number = Math.random): number {
  return seconds * (0.5 + random() / 2)
}

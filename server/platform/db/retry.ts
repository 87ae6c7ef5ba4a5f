import { setTimeout as sleep } from 'node:timers/promises'
import { NotBegun, unavailability } from './unavailable.ts'

const CONFLICT = new Set(['40001', '40P01'])
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOENT', '57P03'])

const CONFLICT_TRIES = 6
const CONNECT_TIMEOUT_MS = 10_000
const LOST_TRIES = 3

/** The SQLSTATE or system error code that an error carries, if any. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Runs a whole transaction, and again when it is certain that it was not committed: a serialization conflict or
 * a deadlock (six attempts with growing, jittered pauses), a server that could not be reached at all (for ten
 * seconds: a restart of the private server takes one), or a connection that turned out to be dead when it began (three
 * attempts). Any other error, and a connection lost half-way, is rethrown unchanged, because the transaction may have been
 * committed. `run` must be safe to call again.
 */
export async function retryable<T>(run: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + CONNECT_TIMEOUT_MS
  for (let conflicts = 0, refusals = 0, losses = 0; ; ) {
    try {
      return await run()
    } catch (thrown) {
      const error = thrown instanceof NotBegun ? thrown.cause : thrown
      const code = errorCode(error) ?? ''
      if (CONFLICT.has(code) && conflicts < CONFLICT_TRIES - 1) {
        conflicts += 1
        await sleep(jitter(10 * 2 ** conflicts))
      } else if (NOT_CONNECTED.has(code) && Date.now() < deadline) {
        refusals += 1
        await sleep(jitter(Math.min(500, 20 * 2 ** refusals)))
      } else if (
        thrown instanceof NotBegun &&
        unavailability(error) === 'down' &&
        losses < LOST_TRIES - 1 &&
        Date.now() < deadline
      ) {
        losses += 1
      } else {
        throw thrown
      }
    }
  }
}

function jitter(milliseconds: number): number {
  return milliseconds / 2 + Math.random() * (milliseconds / 2)
}

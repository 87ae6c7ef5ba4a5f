import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50

/** Thrown by a check to report that waiting longer is pointless. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

/**
 * Waits for a state: calls `look` until it returns something other than undefined, and returns that. A check that throws counts
 * as not yet, unless it throws `GivenUp`. After the deadline (milliseconds, generous by intent) it fails with what was waited for
 * and `explain`.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  options: { deadlineMs?: number; everyMs?: number; explain?: () => Promise<string> | string } = {},
): Promise<T> {
  const deadline = Date.now() + (options.deadlineMs ?? 180_000)
  let last: unknown
  for (;;) {
    try {
      const found = await look()
      if (found !== undefined) return found
      last = undefined
    } catch (error) {
      if (error instanceof GivenUp) throw error
      last = error
    }
    if (Date.now() > deadline) {
      const reason = last instanceof Error ? `\nlast error: ${last.message}` : ''
      throw new Error(`waited in vain for: ${what}${reason}\n${(await options.explain?.()) ?? ''}`, { cause: last })
    }
    await pause(options.everyMs ?? LOOK_MS)
  }
}

const MINUTE_MS = 60_000

type Meter = {
  /** Counts a request; one that writes counts twice. `refused`: seconds to wait, or null. The headers are those of every response. */
  take(writes: boolean): { refused: number | null; headers: Record<string, string> }
  /** Requests per minute; null: no limit. */
  set(limit: number | null): void
}

/** Counts the requests of each minute, and reports them in Help Scout's headers. */
export function createMeter(initial: number | null, now: () => number): Meter {
  let limit = initial
  let taken: number[] = []
  return {
    take(writes) {
      if (limit === null) return { refused: null, headers: {} }
      const time = now()
      taken = taken.filter((at) => time - at < MINUTE_MS)
      const refused =
        taken.length >= limit ? Math.max(1, Math.ceil(((taken[0] ?? time) + MINUTE_MS - time) / 1000)) : null
      if (refused === null) taken.push(...(writes ? [time, time] : [time]))
      return {
        refused,
        headers: {
          'x-ratelimit-limit-minute': String(limit),
          'x-ratelimit-remaining-minute': String(Math.max(0, limit - taken.length)),
          ...(refused === null ? {} : { 'x-ratelimit-retry-after': String(refused) }),
        },
      }
    },
    set(next) {
      limit = next
      taken = []
    },
  }
}

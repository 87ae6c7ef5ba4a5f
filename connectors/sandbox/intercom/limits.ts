const SLICE_SECONDS = 10

type Meter = {
  /** Counts a request. `refused`: whether it is one too many. The headers are those of every response. */
  take(): { refused: boolean; headers: Record<string, string> }
  /** Requests in ten seconds; null: no limit. */
  set(limit: number | null): void
}

/** Counts the requests of each slice of ten seconds, and reports them in Intercom's headers. `now` is in epoch milliseconds. */
export function createMeter(initial: number | null, now: () => number): Meter {
  let limit = initial
  let slice = 0
  let taken = 0
  return {
    take(): ReturnType<Meter['take']> {
      if (limit === null) return { refused: false, headers: {} }
      const current = Math.floor(now() / 1000 / SLICE_SECONDS)
      if (current !== slice) taken = 0
      slice = current
      const refused = taken >= limit
      if (!refused) taken += 1
      return {
        refused,
        headers: {
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': String(limit - taken),
          'x-ratelimit-reset': String((slice + 1) * SLICE_SECONDS),
        },
      }
    },
    set(next) {
      limit = next
      taken = 0
    },
  }
}

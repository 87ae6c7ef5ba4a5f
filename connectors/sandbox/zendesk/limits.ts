/** Requests per minute: of the account, and of the incremental exports. Null: none. */
export type Limits = { account: number | null; incremental: number | null }

const MINUTE_MS = 60_000

export type Meter = {
  /** Counts a request. `refused`: seconds to wait, or null. The headers are those of every response. */
  take(isExport: boolean): { refused: number | null; headers: Record<string, string> }
  set(limits: Limits): void
}

/** Counts the requests of each minute, and reports them in Zendesk's headers. */
export function createMeter(initial: Limits, now: () => number): Meter {
  let limits = initial
  const taken: Record<'account' | 'incremental', number[]> = { account: [], incremental: [] }
  const left = (name: 'account' | 'incremental', limit: number) => {
    const time = now()
    taken[name] = taken[name].filter((at) => time - at < MINUTE_MS)
    const resets = Math.max(1, Math.ceil(((taken[name][0] ?? time) + MINUTE_MS - time) / 1000))
    return { remaining: limit - taken[name].length, resets }
  }
  return {
    take(isExport) {
      const headers: Record<string, string> = {}
      let refused: number | null = null
      const names = isExport ? (['incremental', 'account'] as const) : (['account'] as const)
      for (const name of names) {
        const limit = limits[name]
        if (limit !== null && left(name, limit).remaining <= 0) refused ??= left(name, limit).resets
      }
      for (const name of names) {
        const limit = limits[name]
        if (limit === null) continue
        if (refused === null) taken[name].push(now())
        const { remaining, resets } = left(name, limit)
        if (name === 'incremental') {
          headers['zendesk-ratelimit-incremental-exports'] = `total=${limit}; remaining=${remaining}; resets=${resets}`
        } else {
          headers['x-rate-limit'] = headers['ratelimit-limit'] = String(limit)
          headers['x-rate-limit-remaining'] = headers['ratelimit-remaining'] = String(remaining)
          headers['ratelimit-reset'] = String(resets)
        }
      }
      if (refused !== null) headers['retry-after'] = String(refused)
      return { refused, headers }
    },
    set(next) {
      limits = next
      taken.account = []
      taken.incremental = []
    },
  }
}

import type { JsonReply } from '../server.ts'
import { TrackerFaults } from '../tracker-faults.ts'

/** The faults of ClickUp, whose limits are told by this clock (epoch milliseconds). */
export const faultsAt = (now: () => number): TrackerFaults =>
  new TrackerFaults({
    limit: () => limitReply(limitHeaders({ limit: 100, remaining: 0, resetAt: now() + 30_000 })),
    error: { status: 500, body: { err: 'Internal server error', ECODE: 'SERVER_001' } },
    malformed: { body: { ok: true } },
  })

/** Headers of every response. The reset is in epoch seconds. */
export function limitHeaders(budget: { limit: number; remaining: number; resetAt: number }): Record<string, string> {
  return {
    'x-ratelimit-limit': String(budget.limit),
    'x-ratelimit-remaining': String(budget.remaining),
    'x-ratelimit-reset': String(Math.ceil(budget.resetAt / 1000)),
  }
}

/** ClickUp's way to say that a limit is reached. It sends no `Retry-After`. */
export function limitReply(headers: Record<string, string>): JsonReply {
  return { status: 429, body: { err: 'Rate limit reached', ECODE: 'APP_002' }, headers }
}

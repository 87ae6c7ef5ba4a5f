import type { JsonReply } from '../server.ts'
import { TrackerFaults } from '../tracker-faults.ts'

/** The faults of Linear, whose limits are told by this clock (epoch milliseconds). */
export const faultsAt = (now: () => number): TrackerFaults =>
  new TrackerFaults({
    limit: () => limitReply(limitHeaders({ limit: 2500, remaining: 0, resetAt: now() + 30_000 })),
    error: { status: 500, body: { errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } },
    malformed: { body: { data: { issueCreate: { success: true } } } },
  })

/** Headers of every response. The reset is in epoch milliseconds. */
export function limitHeaders(budget: { limit: number; remaining: number; resetAt: number }): Record<string, string> {
  return {
    'x-ratelimit-requests-limit': String(budget.limit),
    'x-ratelimit-requests-remaining': String(budget.remaining),
    'x-ratelimit-requests-reset': String(budget.resetAt),
  }
}

/** Linear's way to say that a limit is reached: status 400 and a code. */
export function limitReply(headers: Record<string, string>): JsonReply {
  const extensions = { type: 'ratelimited', code: 'RATELIMITED', statusCode: 400, userPresentableMessage: 'Rate limit' }
  return { status: 400, body: { errors: [{ message: 'Rate limit exceeded', extensions }] }, headers }
}

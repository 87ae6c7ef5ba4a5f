import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { paidCalls } from '../../models/index.ts'
import { TokenMeter } from '../generators/token-meter.ts'
import { findRun, type StoredRun } from './run-store.ts'

/** A call was not made, since its run was cancelled or deleted meanwhile. */
export class RunStopped extends Error {
  override name = 'RunStopped'
}

/** Counts the tokens of a run. Each call is within the day's budget, and is made only while the run is in this state: else `RunStopped` is thrown. */
export function runMeter(
  services: Services,
  workspaceId: string,
  { id, state }: Pick<StoredRun, 'id' | 'state'>,
  { lastAttempt }: { lastAttempt: boolean },
): TokenMeter {
  const paid = paidCalls(services, workspaceId, { lastAttempt })
  return new TokenMeter(null, {
    async pay(maxTokens, call) {
      const run = await inWorkspace(services.db, workspaceId, (tx) => findRun(tx, workspaceId, { id }))
      if (run?.state !== state) throw new RunStopped()
      await paid(maxTokens, call)
    },
  })
}

/** Whether the queue should try again later: the model was busy or could not be reached, and there are attempts left. */
export function isTriedAgain(error: unknown, { lastAttempt }: { lastAttempt: boolean }): boolean {
  if (lastAttempt || !(error instanceof Error) || !('kind' in error)) return false
  return error.kind === 'rate-limited' || error.kind === 'unavailable'
}

import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { languageModelProvider } from '../provider.ts'

/** The share of the day's budget that evaluation may use. The rest is left to the names of insights. */
const BUDGET_SHARE = 0.5

type Call = () => Promise<{ tokens: number }>

/**
 * Makes calls of the server's model for evaluation, within the day's budget; outages are recorded for its other tasks. Throws `BudgetExhausted` before a call
 * that does not fit, and `ModelFailure`. `lastAttempt`: nobody tries again, so that a failure is an outage.
 */
export function paidCalls(
  services: Services,
  workspaceId: string,
  { lastAttempt }: { lastAttempt: boolean },
): (maxTokens: number, call: Call) => Promise<void> {
  const provider = languageModelProvider(services, services.config.llm)
  return async (maxTokens, call) => {
    const outage = await provider.readOutage()
    if (outage?.pausedUntil && outage.pausedUntil > services.now()) throw new ModelFailure('unavailable', outage.what)
    try {
      await provider.spend({ workspaceId, maxTokens, share: BUDGET_SHARE }, async (report) =>
        report((await call()).tokens),
      )
    } catch (error) {
      if (error instanceof ModelFailure)
        await provider.settleFailure(error, { lastAttempt, pause: error.kind !== 'rejected' })
      throw error
    }
    await provider.endOutage()
  }
}

/** What is left today of the tokens for evaluation; null: there is no budget. */
export async function tokensLeft(services: Services): Promise<number | null> {
  const day = await languageModelProvider(services, services.config.llm).readToday()
  return day && Math.max(0, Math.floor(day.perDay * BUDGET_SHARE) - day.used)
}

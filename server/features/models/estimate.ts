import { TOKENS_PER_THOUSAND_READ } from '@groundswell/contract/feedback/reading.ts'
import { getLanguageModel, TOKENS_PER_THOUSAND } from '@groundswell/contract/models/language-model.ts'
import type { LlmSettings } from '../../platform/config/model-settings.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { countItemsSince } from '../feedback/index.ts'
import { countUnasked } from '../insights/index.ts'
import { readJudgeErrors } from './error-rates.ts'

/** Tokens of one question, on average over five companies' sets: docs/benchmarks/judge.md. */
export const TOKENS_PER_QUESTION = 350
/** Tokens of one name: docs/models.md. */
export const TOKENS_PER_NAME = 700
/** Tokens of one review, and for each of its mentions: the least where all were read, the most where none was: docs/models.md. */
const TOKENS_PER_REVIEW = 400
const TOKENS_PER_REVIEWED = { least: 17, most: 65 }

/** The call that says which model there is, and what it would take. Asks the model nothing, and loads nothing of it. */
export function estimateRoutes(services: Pick<Services, 'config' | 'db'>): Handler[] {
  return [
    handle(getLanguageModel, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const { llm } = services.config
        const { undecided, unnamed } = await countUnasked(tx, workspaceId)
        return {
          model: llm?.model ?? null,
          where: llm ? hostOf(llm) : null,
          messages: await countItemsSince(tx, workspaceId, new Date(0)),
          undecided,
          unnamed,
          tokens: undecided * TOKENS_PER_QUESTION + unnamed * TOKENS_PER_NAME,
          tokens_per_thousand: TOKENS_PER_THOUSAND,
          tokens_per_day: llm?.tokensPerDay ?? null,
          ...(llm ? { judge_errors: await readJudgeErrors(tx, workspaceId) } : {}),
        }
      }),
    ),
  ]
}

/** About what reading a number of messages takes. */
export function tokensToRead(messages: number): number {
  const { least, most } = TOKENS_PER_THOUSAND_READ
  return Math.round((messages * (least + most)) / 2_000)
}

/** What these reviews take, about. `shown`: the mentions that are sent with them. */
export function tokensToReview({ insights, shown }: { insights: number; shown: number }): {
  least: number
  most: number
} {
  const { least, most } = TOKENS_PER_REVIEWED
  const fixed = insights * TOKENS_PER_REVIEW
  return { least: fixed + shown * least, most: fixed + shown * most }
}

/** Where messages are sent: a host, or a provider. */
export function hostOf({ provider, url }: LlmSettings): string {
  return url === undefined ? provider : new URL(url).host
}

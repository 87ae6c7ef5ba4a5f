import { ContractError } from '@groundswell/contract/errors.ts'
import {
  chooseReading,
  getReadingChoice,
  type ReadingState,
  readAgain,
} from '@groundswell/contract/feedback/reading.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import {
  countReach,
  countReadings,
  countUnreviewed,
  forgetReviewErrors,
  readLastItem,
  requestReading,
} from '../insights/index.ts'
import { readReviewErrors } from './error-rates.ts'
import { tokensToRead, tokensToReview } from './estimate.ts'
import { deleteChoice, isReading, readChoice, writeChoice } from './reading-choice-store.ts'
import { forgetScan, requestScan } from './scan-store.ts'

/** The calls about reading messages before they are grouped. They call no model. */
export function readingRoutes(services: Pick<Services, 'config' | 'db' | 'now'>): Handler[] {
  const { llm } = services.config
  return [
    handle(getReadingChoice, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, (tx) => readState(services, tx, workspaceId)),
    ),
    handle(chooseReading, ({ caller: { workspaceId, name, email }, body: { scope, paused = false, reviews } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        if (scope === 'off') await deleteChoice(tx, workspaceId)
        else {
          if (!llm) throw new ContractError('conflict', 'The server has no language model: start it with LLM_MODEL')
          const last = await readLastItem(tx, workspaceId)
          await writeChoice(tx, workspaceId, {
            scope,
            paused,
            ...(reviews === undefined ? {} : { reviews }),
            last,
            by: name || email,
            now: services.now(),
          })
          if (reviews) await forgetReviewErrors(tx, workspaceId)
        }
        await (scope === 'off' || paused
          ? forgetScan(tx, workspaceId, 'readings')
          : requestScan(tx, workspaceId, 'readings', services.now()))
        return readState(services, tx, workspaceId)
      }),
    ),
    handle(readAgain, ({ caller: { workspaceId }, body: { mention } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        const itemId = Number(mention.slice(0, mention.indexOf(':')))
        const outcome = await requestReading(tx, workspaceId, itemId, services.now())
        if (outcome === 'missing') throw new ContractError('not_found', 'There is no such message')
        if (outcome === 'kept')
          throw new ContractError('conflict', 'People have corrected this message: it stays as it is')
        if (!(await isReading(tx, workspaceId)))
          throw new ContractError('conflict', 'Reading is switched off or paused')
        await requestScan(tx, workspaceId, 'readings', services.now())
        return { requested: true }
      }),
    ),
  ]
}

async function readState(
  { config: { llm } }: Pick<Services, 'config'>,
  tx: Tx,
  workspaceId: string,
): Promise<ReadingState> {
  const choice = await readChoice(tx, workspaceId)
  const last = await readLastItem(tx, workspaceId)
  const counts = await countReadings(tx, workspaceId, choice ?? { since: last, before: 0 })
  const all = await countReadings(tx, workspaceId, { since: 0, before: 0 })
  const due = await countUnreviewed(tx, workspaceId)
  const reviewed = llm ? await readReviewErrors(tx, workspaceId, llm.model) : null
  return {
    scope: choice?.scope ?? 'off',
    paused: choice?.paused ?? false,
    reviews: choice?.reviews ?? false,
    ...counts,
    stored: all.left,
    tokens: tokensToRead(all.left),
    tokens_per_day: llm?.tokensPerDay ?? null,
    chosen_by: choice?.chosenBy ?? null,
    chosen_at: choice?.chosenAt.toISOString() ?? null,
    // Of no use to somebody who has chosen it, and asked for again and again while messages are read.
    ...(choice?.scope === 'all' ? {} : { reach: await countReach(tx, workspaceId) }),
    reviews_due: due.insights,
    review_tokens: tokensToReview(due),
    ...(reviewed ? { review_errors: reviewed.errors } : {}),
    reviews_stopped: choice?.reviews === true && reviewed?.stopped === true,
  }
}

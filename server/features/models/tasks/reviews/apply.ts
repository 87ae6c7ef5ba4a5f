import { requestGrouping, storeReview } from '../../../insights/index.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import type { ReviewCase } from './backlog.ts'
import { checkReply } from './check-reply.ts'
import type { ReviewQuestion } from './question.ts'

type Reviewed = ReviewCase & { mentions: number }

/**
 * Stores what a review found, for the next grouping to carry out. A reply that is not believed changes nothing, and the insight is not asked
 * about again until it has grown.
 */
export async function applyReply(
  run: TaskRun,
  reviewed: Reviewed,
  asked: Omit<ReviewQuestion, 'text'>,
  { text, tokens }: TaskReply,
): Promise<Applied<ReviewCase>> {
  const found = checkReply(text, asked)
  if (!found) {
    await storeRefusal(run, reviewed, 'reply', tokens)
    return { useful: false }
  }
  const { services, workspaceId, askedWith, inside } = run
  await inside(async (tx) => {
    const strangers = found.strangers.map(({ mention, to, part }) => ({ ...mention, to, part }))
    const outcome = { ...askedWith, ...reviewed, refused: null, tokens, strangers, same: found.same }
    const changes = await storeReview(tx, workspaceId, outcome, services.now())
    if (changes) await requestGrouping(services)(tx, workspaceId)
  })
  return { useful: true }
}

/** Records that nothing comes of a review, and why. */
export async function storeRefusal(
  { services, workspaceId, askedWith, inside }: TaskRun,
  reviewed: Reviewed,
  refused: 'reply' | 'people',
  tokens = 0,
): Promise<void> {
  await inside((tx) =>
    storeReview(
      tx,
      workspaceId,
      { ...askedWith, ...reviewed, refused, tokens, strangers: [], same: [] },
      services.now(),
    ),
  )
}

import { requestGrouping, storeReview } from '../../../insights/index.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { applyReviewed } from '../names/apply.ts'
import type { Subject as NameSubject } from '../names/name-case.ts'
import type { ReviewCase } from './backlog.ts'
import { checkReview, parseReviews } from './check-reply.ts'
import type { AskedReview } from './question.ts'
import type { RepliedReview } from './schema.ts'

/** An insight that was asked about. `naming`: what its name is checked by; null: it is no longer shown. */
export type Reviewed = ReviewCase & { mentions: number; naming: NameSubject | null }
type Counted = Omit<Reviewed, 'naming'>

/**
 * Stores what reviews found, for the next grouping to carry out, and the names that they gave. A reply that cannot be read is requested again in two halves. What it
 * says about one insight and is not believed changes nothing, and this insight is not asked about again until it has grown.
 */
export async function applyReply(
  run: TaskRun,
  batch: readonly Reviewed[],
  asked: readonly AskedReview[],
  { text, tokens }: TaskReply,
): Promise<Applied<ReviewCase[]>> {
  const replies = parseReviews(text, asked)
  const cases = batch.map(({ issueNumber }) => ({ issueNumber }))
  if (!replies && cases.length > 1) {
    const half = Math.ceil(cases.length / 2)
    return { useful: false, followUps: [cases.slice(0, half), cases.slice(half)] }
  }
  const share = Math.ceil(tokens / batch.length)
  let useful = false
  for (const [at, one] of batch.entries()) {
    const isTaken = await applyReview(run, one, asked[at] as AskedReview, { reply: replies?.[at], tokens: share })
    useful ||= isTaken
  }
  return { useful }
}

async function applyReview(
  run: TaskRun,
  { naming, ...reviewed }: Reviewed,
  asked: AskedReview,
  { reply, tokens }: { reply: RepliedReview | undefined; tokens: number },
): Promise<boolean> {
  const found = reply ? checkReview(reply, asked) : null
  if (!found) {
    await storeRefusal(run, reviewed, 'reply', tokens)
    return false
  }
  const { services, workspaceId, askedWith, inside } = run
  await inside(async (tx) => {
    const strangers = found.strangers.map(({ mention, to, part }) => ({ ...mention, to, part }))
    const outcome = { ...askedWith, ...reviewed, refused: null, tokens, strangers, same: found.same }
    const changes = await storeReview(tx, workspaceId, outcome, services.now())
    if (changes) await requestGrouping(services)(tx, workspaceId)
  })
  if (naming && found.description) await applyReviewed(run, naming, found.description)
  return true
}

/** Records that nothing comes of a review, and why. */
export async function storeRefusal(
  { services, workspaceId, askedWith, inside }: TaskRun,
  reviewed: Counted,
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

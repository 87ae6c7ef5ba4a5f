import {
  type AskedWith,
  type ReviewOutcome,
  requestGrouping,
  storeReview,
  withdrawReviews,
} from '../../../insights/index.ts'
import { readReviewErrors } from '../../error-rates.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { applyReviewed } from '../names/apply.ts'
import type { Subject as NameSubject } from '../names/name-case.ts'
import type { ReviewCase } from './backlog.ts'
import { checkReview, type Findings, isWrong, parseReviews } from './check-reply.ts'
import type { AskedReview } from './question.ts'

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
  const reviews = batch.map((one, at): Review => {
    const question = asked[at] as AskedReview
    const reply = replies?.[at]
    const found = reply ? checkReview(reply, question) : null
    return { reviewed: one, found, wrong: isWrong(found, question) }
  })
  // What is wrong first, so that of a model that errs too often nothing else is carried out.
  const inOrder = reviews.toSorted((a, b) => Number(b.wrong) - Number(a.wrong))
  for (const one of inOrder) await applyReview(run, one, Math.ceil(tokens / batch.length))
  return { useful: reviews.some(({ found }) => found !== null) }
}

/** What came of the review of an insight. `found`: null: it is not believed. `wrong`: the model answered a control wrong. */
type Review = { reviewed: Reviewed; found: Findings | null; wrong: boolean }

async function applyReview(
  run: TaskRun,
  { reviewed: { naming, ...counted }, found, wrong }: Review,
  tokens: number,
): Promise<void> {
  if (!found) return storeOutcome(run, { ...counted, refused: 'reply', tokens, strangers: [], same: [], wrong })
  const strangers = found.strangers.map(({ mention, to, part }) => ({ ...mention, to, part }))
  await storeOutcome(run, { ...counted, refused: null, tokens, strangers, same: found.same, wrong })
  if (naming && found.description) await applyReviewed(run, naming, found.description)
}

/** Records that an insight has too little that may be shown. */
export function storeUnshown(run: TaskRun, counted: Counted): Promise<void> {
  return storeOutcome(run, { ...counted, refused: 'people', tokens: 0, strangers: [], same: [], wrong: null })
}

/** Stores a review. When the model has been wrong too often, nothing is carried out any more, not even what waits for the next grouping. */
async function storeOutcome(
  { services, workspaceId, askedWith, inside }: TaskRun,
  outcome: Omit<ReviewOutcome, keyof AskedWith>,
): Promise<void> {
  await inside(async (tx) => {
    const changes = await storeReview(tx, workspaceId, { ...askedWith, ...outcome }, services.now())
    const { stopped } = await readReviewErrors(tx, workspaceId, askedWith.model)
    if (stopped) await withdrawReviews(tx, workspaceId)
    else if (changes) await requestGrouping(services)(tx, workspaceId)
  })
}

import { MAX_NEAR, reviewedCount } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../../platform/db/tenant.ts'
import {
  readFar,
  readNames,
  readNearest,
  readNewestEvidence,
  readReviewable,
  readReviewedMentions,
  readUnreviewed,
} from '../../../insights/index.ts'
import { speaksToModels } from '../../injection.ts'
import { oneLine } from '../../plain-text.ts'
import type { Found, Question, TaskRun } from '../../task.ts'
import { readSubject as readNameSubject } from '../names/cases.ts'
import { applyReply, type Reviewed, storeUnshown } from './apply.ts'
import { isReviewing, type ReviewCase } from './backlog.ts'
import { type Shown, type Subject, shownLine, writeReviews } from './question.ts'

const CASES_PER_RUN = 10
/** Insights in one call. */
export const REVIEWS_PER_CALL = 5
/** With fewer than these to show, there is nothing to compare. */
export const MIN_SHOWN = 3
/** How many lines show an insight beside the reviewed ones. */
export const LINES_PER_OTHER = 2

/** Insights that are new or have grown, the largest first, in batches. */
export async function find({ services, workspaceId, askedWith, inside }: TaskRun): Promise<Found<ReviewCase[]>> {
  const by = { ...askedWith, now: services.now() }
  const due = await inside(async (tx) =>
    (await isReviewing(tx, workspaceId, askedWith.model)) ? readUnreviewed(tx, workspaceId, by, CASES_PER_RUN) : [],
  )
  const cases: ReviewCase[][] = []
  for (let at = 0; at < due.length; at += REVIEWS_PER_CALL)
    cases.push(due.slice(at, at + REVIEWS_PER_CALL).map((issueNumber) => ({ issueNumber })))
  return { cases, more: due.length === CASES_PER_RUN, version: 0 }
}

/** Insights with too little that may be shown are recorded as reviewed without a call. */
export async function ask(run: TaskRun, batch: ReviewCase[]): Promise<Question<ReviewCase[]> | null> {
  const { workspaceId, inside } = run
  const reviewed: Reviewed[] = []
  const subjects: Subject[] = []
  for (const { issueNumber } of batch) {
    const reviewable = await inside((tx) => readReviewable(tx, workspaceId, issueNumber))
    if (reviewable === null) continue
    const { mentions } = reviewable
    const subject = await inside((tx) => readSubject(tx, workspaceId, issueNumber, reviewable))
    if (subject.shown.length < MIN_SHOWN) {
      await storeUnshown(run, { issueNumber, mentions })
      continue
    }
    reviewed.push({ issueNumber, mentions, naming: await readNameSubject(run, issueNumber) })
    subjects.push(subject)
  }
  if (subjects.length === 0) return null
  const { text, reviews } = writeReviews(subjects)
  return { message: text, apply: (reply) => applyReply(run, reviewed, reviews, reply) }
}

async function readSubject(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { mentions, reviewed }: { mentions: number; reviewed: number },
): Promise<Subject> {
  const near = await readNearest(tx, workspaceId, issueNumber, MAX_NEAR)
  const far = await readFar(tx, workspaceId, [issueNumber, ...near])
  const names = await readNames(tx, workspaceId, [issueNumber, ...near, ...(far === null ? [] : [far])])
  const beside = await readNewestEvidence(tx, workspaceId, [...near, ...(far === null ? [] : [far])], LINES_PER_OTHER)
  const linesOf = (number: number) =>
    beside.flatMap((one) => {
      const line = one.issueNumber === number ? shownLine({ text: one.text, point: one.point ?? null }) : null
      return line === null ? [] : [line]
    })
  const nameOf = (number: number) => {
    const name = names.get(number) ?? ''
    return speaksToModels(name) ? '' : oneLine(name)
  }
  const otherOf = (number: number) => {
    const lines = linesOf(number)
    return lines.length === 0 ? [] : [{ issueNumber: number, name: nameOf(number), lines }]
  }
  const stored = await readReviewedMentions(tx, workspaceId, issueNumber, reviewedCount(mentions, reviewed))
  return {
    issueNumber,
    name: nameOf(issueNumber),
    shown: stored.flatMap((mention): Shown[] => {
      const line = shownLine(mention)
      return line === null ? [] : [{ mention, line }]
    }),
    near: near.flatMap(otherOf),
    far: far === null ? null : (otherOf(far)[0] ?? null),
    again: reviewed > 0,
  }
}

import { MAX_NEAR, MAX_REVIEWED } from '@groundswell/engine/index.ts'
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
import { applyReply, storeRefusal } from './apply.ts'
import { isReviewing, type ReviewCase } from './backlog.ts'
import { type Shown, type Subject, shownLine, writeReview } from './question.ts'

const CASES_PER_RUN = 10
/** With fewer than these to show, there is nothing to compare. */
export const MIN_SHOWN = 3
export const LINES_PER_OTHER = 3

/** Insights that are new or have grown, the largest first. */
export async function find({ services, workspaceId, askedWith, inside }: TaskRun): Promise<Found<ReviewCase>> {
  const by = { ...askedWith, now: services.now() }
  const due = await inside(async (tx) =>
    (await isReviewing(tx, workspaceId)) ? readUnreviewed(tx, workspaceId, by, CASES_PER_RUN) : [],
  )
  return { cases: due.map((issueNumber) => ({ issueNumber })), more: due.length === CASES_PER_RUN, version: 0 }
}

/** An insight of which too little may be shown is recorded as reviewed without a call. */
export async function ask(run: TaskRun, { issueNumber }: ReviewCase): Promise<Question<ReviewCase> | null> {
  const { workspaceId, inside } = run
  const mentions = await inside((tx) => readReviewable(tx, workspaceId, issueNumber))
  if (mentions === null) return null
  const subject = await inside((tx) => readSubject(tx, workspaceId, issueNumber))
  if (subject.shown.length < MIN_SHOWN) {
    await storeRefusal(run, { issueNumber, mentions }, 'people')
    return null
  }
  const { text, ...asked } = writeReview(subject)
  return { message: text, apply: (reply) => applyReply(run, { issueNumber, mentions }, asked, reply) }
}

async function readSubject(tx: Tx, workspaceId: string, issueNumber: number): Promise<Subject> {
  const near = await readNearest(tx, workspaceId, issueNumber, MAX_NEAR)
  const far = await readFar(tx, workspaceId, [issueNumber, ...near])
  const names = await readNames(tx, workspaceId, [issueNumber, ...near])
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
  const stored = await readReviewedMentions(tx, workspaceId, issueNumber, MAX_REVIEWED)
  return {
    name: nameOf(issueNumber),
    shown: stored.flatMap((mention): Shown[] => {
      const line = shownLine(mention)
      return line === null ? [] : [{ mention, line }]
    }),
    near: near.flatMap(otherOf),
    far: far === null ? null : (otherOf(far)[0] ?? null),
  }
}

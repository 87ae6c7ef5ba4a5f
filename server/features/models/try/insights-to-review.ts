import {
  describe,
  isEmerging,
  isReviewDue,
  issues,
  MAX_REVIEWED,
  meanDirection,
  nearestIssues,
  REVIEWED_FROM,
  reviewedCount,
  type SentenceEncoder,
  type SplitItem,
  type State,
} from '@groundswell/engine/index.ts'
import { LINES_PER_OTHER, MIN_SHOWN, REVIEWS_PER_CALL } from '../tasks/reviews/cases.ts'
import { type Shown, type Subject, shownLine } from '../tasks/reviews/question.ts'

/** An insight of a state. `shown`: its newest mentions as a review shows them; `mean`: of their vectors, null without any. */
export type OpenInsight = { id: number; name: string; shown: Shown[]; mentions: number; mean: Float32Array | null }

/** Regular insights with enough mentions, the largest first. Mentions that address models are not shown. `items`: all messages of the state. */
export function openInsights(
  state: State,
  items: readonly SplitItem[],
  encoder: SentenceEncoder | null,
): OpenInsight[] {
  const places = new Map(items.map(({ id }, place) => [id, place]))
  return issues(state)
    .filter(({ issueId, visible, mentions }) => visible && !isEmerging(issueId) && mentions >= REVIEWED_FROM)
    .map(({ issueId, mentions, statementIds }) => {
      const shown = statementIds.slice(-MAX_REVIEWED).flatMap((id) => shownOf(id, items, places))
      const vectors = shown.flatMap(({ line }) => encoder?.vectors.get(line) ?? [])
      return { id: issueId, name: describe(state, issueId).name, shown, mentions, mean: meanDirection(vectors) }
    })
    .sort((a, b) => b.mentions - a.mentions || a.id - b.id)
}

/** Those of the insights that are new or have grown. `reviewed`: by insight, its mentions when it was last reviewed. */
function dueInsights(open: readonly OpenInsight[], reviewed: ReadonlyMap<number, number>): OpenInsight[] {
  return open.filter(
    ({ id, mentions, shown }) => isReviewDue(mentions, reviewed.get(id) ?? 0) && shown.length >= MIN_SHOWN,
  )
}

/** What reviews some insights in one call, in their order. */
export type ReviewCall = { insights: OpenInsight[]; subjects: Subject[] }

/** The calls that review the insights that are due, each of which shows its nearest insights too. `reviewed`: as in `dueInsights`. */
export function reviewCalls(open: readonly OpenInsight[], reviewed: ReadonlyMap<number, number>): ReviewCall[] {
  const due = dueInsights(open, reviewed)
  const calls: ReviewCall[] = []
  for (let at = 0; at < due.length; at += REVIEWS_PER_CALL) {
    const insights = due.slice(at, at + REVIEWS_PER_CALL)
    calls.push({ insights, subjects: insights.map((one) => subjectOf(one, open, reviewed.get(one.id) ?? 0)) })
  }
  return calls
}

function subjectOf(insight: OpenInsight, open: readonly OpenInsight[], reviewed: number): Subject {
  const near = nearestIssues(insight, open)
  const far = open.find((other) => other !== insight && !near.includes(other))
  return {
    issueNumber: insight.id,
    name: insight.name,
    shown: insight.shown.slice(-reviewedCount(insight.mentions, reviewed)),
    near: near.map(asOther),
    far: far ? asOther(far) : null,
    again: reviewed > 0,
  }
}

/** A statement as a review shows it. Its item id is the place of its message. */
function shownOf(statementId: string, items: readonly SplitItem[], places: ReadonlyMap<string, number>): Shown[] {
  const at = statementId.lastIndexOf(':')
  const itemId = places.get(statementId.slice(0, at)) as number
  const number = Number(statementId.slice(at + 1))
  const { text: message, points } = items[itemId] as SplitItem
  const read = points?.[number]
  const text = read ? message.slice(read.start, read.end) : message
  const point = read?.point ?? null
  const line = shownLine({ text, point })
  return line === null
    ? []
    : [{ line, mention: { itemId, number, start: read?.start ?? 0, message, text, point, hash: '' } }]
}

const asOther = ({ id, name, shown }: OpenInsight) => ({
  issueNumber: id,
  name,
  lines: shown.slice(-LINES_PER_OTHER).map(({ line }) => line),
})

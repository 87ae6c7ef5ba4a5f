import {
  describe,
  isEmerging,
  isReviewDue,
  issues,
  MAX_REVIEWED,
  meanDirection,
  nearestIssues,
  REVIEWED_FROM,
  type SentenceEncoder,
  type SplitItem,
  type State,
} from '@groundswell/engine/index.ts'
import { LINES_PER_OTHER, MIN_SHOWN } from '../tasks/reviews/cases.ts'
import { type ReviewQuestion, type Shown, shownLine, writeReview } from '../tasks/reviews/question.ts'

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
export function dueInsights(open: readonly OpenInsight[], reviewed: ReadonlyMap<number, number>): OpenInsight[] {
  return open.filter(
    ({ id, mentions, shown }) => isReviewDue(mentions, reviewed.get(id) ?? 0) && shown.length >= MIN_SHOWN,
  )
}

/** The question that reviews an insight, which shows its nearest insights too. */
export function reviewOf(insight: OpenInsight, open: readonly OpenInsight[]): ReviewQuestion {
  const near = nearestIssues(insight, open)
  const far = open.find((other) => other !== insight && !near.includes(other))
  return writeReview({
    name: insight.name,
    shown: insight.shown,
    near: near.map(asOther),
    far: far ? asOther(far) : null,
  })
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

import { issues, type State } from '@groundswell/engine/index.ts'
import type { LabelledMessage } from './labelled.ts'

/** Percentages: B³ F1 over all messages, and B³ precision of those that are in an insight, emerging ones included. */
export type Scores = { f1: number; groupedPrecision: number; grouped: number }

/** Compares the insights of a state with the labels of the messages. */
export function scoreState(state: State, messages: readonly LabelledMessage[]): Scores {
  const insightOf = new Map<string, number>()
  for (const { visible, issueId, statementIds } of issues(state)) {
    if (!visible) continue
    for (const id of statementIds) {
      const itemId = id.slice(0, id.lastIndexOf(':'))
      if (!insightOf.has(itemId)) insightOf.set(itemId, issueId)
    }
  }
  const keys = messages.map(({ id, label }) => {
    const group = insightOf.has(id) ? `insight ${insightOf.get(id)}` : `alone ${id}`
    const subject = label === null ? `noise ${id}` : `subject ${label}`
    return { group, subject, both: `${group} ${subject}`, isGrouped: insightOf.has(id) }
  })
  const groups = tally(keys.map(({ group }) => group))
  const subjects = tally(keys.map(({ subject }) => subject))
  const both = tally(keys.map((one) => one.both))
  let precision = 0
  let recall = 0
  let groupedPrecision = 0
  let grouped = 0
  for (const key of keys) {
    const shared = both.get(key.both) ?? 0
    const share = shared / (groups.get(key.group) ?? 1)
    precision += share
    recall += shared / (subjects.get(key.subject) ?? 1)
    if (!key.isGrouped) continue
    groupedPrecision += share
    grouped++
  }
  return {
    f1: precision + recall > 0 ? (200 * precision * recall) / (precision + recall) / Math.max(1, messages.length) : 0,
    groupedPrecision: (100 * groupedPrecision) / Math.max(1, grouped),
    grouped: (100 * grouped) / Math.max(1, messages.length),
  }
}

/** Whether two, statements or insights, are about the same by the labels; an insight is about what most of its statements are. */
export function labelTruth(
  state: State,
  messages: readonly LabelledMessage[],
): (a: number | string, b: number | string) => boolean {
  const labels = new Map(messages.map(({ id, label }) => [id, label]))
  const labelOf = (statementId: string) => labels.get(statementId.slice(0, statementId.lastIndexOf(':'))) ?? null
  const subjects = new Map<number, string | null>()
  for (const { issueId, statementIds } of issues(state)) {
    const [most] = [...tally(statementIds.map(labelOf))].sort((a, b) => b[1] - a[1])
    subjects.set(issueId, most?.[0] ?? null)
  }
  const subjectOf = (ref: number | string) => (typeof ref === 'number' ? (subjects.get(ref) ?? null) : labelOf(ref))
  return (a, b) => subjectOf(a) !== null && subjectOf(a) === subjectOf(b)
}

function tally<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

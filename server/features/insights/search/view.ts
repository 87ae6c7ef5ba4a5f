import type { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import type { FoundFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { foldText } from '@groundswell/contract/values/fold-text.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { fullMention } from '../mention.ts'
import { type FoundRow, readFound, readNamesOfShown } from './store.ts'

/** These messages, in their order, each by the statement that fits best, the first if several do equally. */
export async function viewFound(
  tx: Tx,
  workspaceId: string,
  itemIds: readonly number[],
  fits: (row: FoundRow) => number,
): Promise<{ itemId: number; found: FoundFeedback }[]> {
  const rows = await readFound(tx, workspaceId, itemIds)
  const numbers = new Set(rows.flatMap(({ issueNumber }) => issueNumber ?? []))
  const names = await readNamesOfShown(tx, workspaceId, [...numbers])
  return [...Map.groupBy(rows, ({ itemId }) => itemId)].map(([itemId, one]) => ({
    itemId,
    found: viewOne(one, fits, names),
  }))
}

/** Rates a statement by how many of the words occur in it; statements of the requested kind come first. */
export function fitsWords(words: readonly string[], kind: FeedbackKind | undefined): (row: FoundRow) => number {
  const folded = words.map(foldText)
  return ({ message, start, end, feedbackKind }) => {
    const text = foldText(message.slice(start, end))
    return folded.filter((word) => text.includes(word)).length + (kind === feedbackKind ? words.length + 1 : 0)
  }
}

/** Rates a statement by its similarity to the search; statements of the requested kind come first. */
export function fitsMeaning(
  similarities: ReadonlyMap<string, number>,
  kind: FeedbackKind | undefined,
): (row: FoundRow) => number {
  return ({ itemId, number, feedbackKind }) =>
    (similarities.get(`${itemId}:${number}`) ?? 0) + (kind !== undefined && kind === feedbackKind ? 2 : 0)
}

function viewOne(
  rows: readonly FoundRow[],
  fits: (row: FoundRow) => number,
  names: ReadonlyMap<number, string>,
): FoundFeedback {
  const best = rows.reduce((one, other) => (fits(other) > fits(one) ? other : one))
  const numbers = new Set(rows.flatMap(({ issueNumber }) => issueNumber ?? []))
  const insights = [...numbers].flatMap((number) => {
    const name = names.get(number)
    return name === undefined ? [] : [{ issue_number: number, issue_name: name }]
  })
  const { number, start, end } = best.number === null ? { number: 0, start: 0, end: best.message.length } : best
  const text = best.message.slice(start, end)
  const { id, ...mention } = fullMention({
    ...best,
    issueNumber: best.issueNumber ?? 0,
    number: number ?? 0,
    start,
    end,
    text,
  })
  return { ...mention, ...(best.number === null ? {} : { id }), insights }
}

import { prepare, type SplitItem, type Statement, type StoredDecision } from '@groundswell/engine/index.ts'
import { numberOf } from './columns.ts'
import { isTaught, withPoint } from './kinds.ts'
import type { PreparedStatement, ReplayedStatement, Step } from './protocol.ts'

/** The statements that a step will extract from these items. */
export function prepareItems(items: Step['items']): PreparedStatement[] {
  return items.flatMap((item) =>
    statementsOf(item).map(({ id, itemId, text, point }) => ({ itemId, number: numberOf(id), text: point ?? text })),
  )
}

/**
 * The statements of an item. One that the engine cannot split has none: it must not block all others. A message in which a language
 * model read nothing stays visible, as small talk.
 */
export function statementsOf(item: SplitItem): Statement[] {
  try {
    if (item.points?.length !== 0) return prepare(item)
    const { points: _none, ...plain } = item
    return prepare(plain).map((one) => ({ ...one, kind: 'small talk' }))
  } catch {
    return []
  }
}

/** A stored statement as the engine reads it, with its vector if there is one. */
export function replayedStatement(row: ReplayedStatement): Statement {
  return {
    id: replayedId(row),
    itemId: row.itemId,
    text: row.text,
    start: row.start,
    end: row.end,
    at: row.at,
    ...(row.author === null ? {} : { author: row.author }),
    ...(row.thread === null ? {} : { thread: row.thread }),
    ...(row.vector ? { vector: row.vector } : {}),
    ...withPoint(row.point),
    ...(row.readKind === null ? {} : { kind: row.readKind }),
    subjectless: row.subjectless,
    taught: isTaught(row.kindBy),
  }
}

/** The stored decision about it. */
export function replayedDecision(row: ReplayedStatement): StoredDecision {
  return {
    statementId: replayedId(row),
    kind: row.kind,
    score: row.score,
    reason: row.reason,
    meant: row.meant,
    ...(row.issueId === null ? {} : { issueId: row.issueId }),
  }
}

/** The id of a stored statement. */
export function replayedId({ itemId, number }: ReplayedStatement): string {
  return `${itemId}:${number}`
}

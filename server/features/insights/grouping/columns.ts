import type { Changes, Decision, Statement } from '@groundswell/engine/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import type { MoveColumns, StatementColumns } from './protocol.ts'

/** The statements of a step with the decision about each, in the same order. */
export function statementColumns(statements: readonly Statement[], decisions: readonly Decision[]): StatementColumns {
  return {
    count: statements.length,
    itemIds: numberArray(statements.map((statement) => statement.itemId)),
    numbers: numberArray(statements.map((statement) => numberOf(statement.id))),
    starts: numberArray(statements.map((statement) => statement.start)),
    ends: numberArray(statements.map((statement) => statement.end)),
    kinds: textArray(decisions.map((decision) => decision.kind)),
    issues: numberArray(decisions.map((decision) => (decision.kind === 'joined' ? (decision.issueId ?? null) : null))),
    scores: numberArray(decisions.map((decision) => decision.score)),
    reasons: textArray(decisions.map((decision) => decision.reason)),
    candidates: textArray(
      decisions.map(({ candidates }) => (candidates && candidates.length > 0 ? JSON.stringify(candidates) : null)),
    ),
    saidAt: textArray(statements.map((statement) => new Date(statement.at).toISOString())),
  }
}

/** Only the last move of each statement: a step may move one twice. */
export function moveColumns(changes: Changes): MoveColumns {
  const moves = [...new Map(changes.moves.map((move) => [move.statementId, move])).values()]
  return {
    count: moves.length,
    itemIds: numberArray(moves.map((move) => move.statementId.slice(0, move.statementId.lastIndexOf(':')))),
    numbers: numberArray(moves.map((move) => numberOf(move.statementId))),
    issues: numberArray(moves.map((move) => move.to ?? null)),
    scores: numberArray(moves.map((move) => move.score)),
    reasons: textArray(moves.map((move) => move.reason)),
    candidates: textArray(moves.map(({ candidates }) => (candidates ? JSON.stringify(candidates) : null))),
  }
}

/** The number of a statement within its item, from its id `itemId:number`. */
export function numberOf(statementId: string): number {
  return Number(statementId.slice(statementId.lastIndexOf(':') + 1))
}

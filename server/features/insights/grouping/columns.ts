import { type Candidate, type Decision, isEmerging, type Move, type Statement } from '@groundswell/engine/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { type DecidedKind, decisionColumns } from './kinds.ts'
import type { MoveColumns, StatementColumns } from './protocol.ts'

/** The statements of a step with the decisions about each, in the same order. To the database, one of an emerging insight still waits. */
export function statementColumns(
  statements: readonly Statement[],
  decisions: readonly Decision[],
  decidedKinds: readonly DecidedKind[],
): StatementColumns {
  const { kinds, by, subjectless } = decisionColumns(decidedKinds)
  const places = decisions.map(({ kind, issueId }) => placeOf(kind === 'joined' ? issueId : null))
  return {
    count: statements.length,
    itemIds: numberArray(statements.map((statement) => statement.itemId)),
    numbers: numberArray(statements.map((statement) => numberOf(statement.id))),
    starts: numberArray(statements.map((statement) => statement.start)),
    ends: numberArray(statements.map((statement) => statement.end)),
    kinds: textArray(decisions.map(({ kind }, at) => (places[at]?.emerging ? 'pending' : kind))),
    issues: numberArray(places.map(({ issue }) => issue)),
    emerging: numberArray(places.map(({ emerging }) => emerging)),
    scores: numberArray(decisions.map((decision) => decision.score)),
    reasons: textArray(decisions.map((decision) => decision.reason)),
    candidates: textArray(decisions.map(({ candidates }) => candidatesText(candidates))),
    saidAt: textArray(statements.map((statement) => new Date(statement.at).toISOString())),
    points: textArray(statements.map(({ point }) => point ?? null)),
    readKinds: textArray(statements.map(({ kind }) => kind ?? null)),
    feedbackKinds: kinds,
    kindBy: by,
    subjectless,
  }
}

/** Only the last move of each statement: a step may move one twice. */
export function moveColumns(changed: readonly Move[]): MoveColumns {
  const moves = [...new Map(changed.map((move) => [move.statementId, move])).values()]
  const places = moves.map(({ to }) => placeOf(to))
  return {
    count: moves.length,
    itemIds: numberArray(moves.map((move) => move.statementId.slice(0, move.statementId.lastIndexOf(':')))),
    numbers: numberArray(moves.map((move) => numberOf(move.statementId))),
    issues: numberArray(places.map(({ issue }) => issue)),
    emerging: numberArray(places.map(({ emerging }) => emerging)),
    scores: numberArray(moves.map((move) => move.score)),
    reasons: textArray(moves.map((move) => move.reason)),
    candidates: textArray(moves.map(({ candidates }) => candidatesText(candidates))),
  }
}

/** Where an issue of the engine is in the database: an insight, an emerging one, or neither. */
function placeOf(issueId: number | null | undefined): { issue: number | null; emerging: number | null } {
  if (!issueId) return { issue: null, emerging: null }
  return isEmerging(issueId) ? { issue: null, emerging: issueId } : { issue: issueId, emerging: null }
}

/** The insights among the candidates: emerging ones come and go. */
function candidatesText(candidates: readonly Candidate[] = []): string | null {
  const lasting = candidates.filter(({ issueId }) => !isEmerging(issueId))
  return lasting.length > 0 ? JSON.stringify(lasting) : null
}

/** The number of a statement within its item, from its id `itemId:number`. */
export function numberOf(statementId: string): number {
  return Number(statementId.slice(statementId.lastIndexOf(':') + 1))
}

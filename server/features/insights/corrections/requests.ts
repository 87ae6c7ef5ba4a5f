import type { Correction, CorrectionChange, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import { lockVersion } from '../grouping/stores/state-store.ts'
import { raiseRevision } from '../revision.ts'
import { markInsights, readInsight } from '../store.ts'
import { markAnswered, readAnswered } from '../suggestions/store.ts'
import { changesOf } from './changes.ts'
import {
  addCorrection,
  addEvent,
  type CorrectionRow,
  completeUndo,
  lockCorrection,
  readCorrection,
  readCorrectionsOf,
  requestUndo,
  setEventAuthor,
} from './correction-store.ts'
import { checkCreation, checkRequest, type Plan, planCorrection, Refused } from './plan.ts'
import { correctPoint, restorePoint } from './points.ts'
import { type InsightFields, readInsightFields, readStatementsById, writeInsightFields, writeName } from './store.ts'
import { undoObstacle } from './undo.ts'

const MAX_LISTED = 100

/** Who makes a request, and when. */
export type Author = { person: string; now: Date }

/** What a correction would change, without changing it. Throws `not_found`, `conflict` or `invalid_input`. */
export async function preview(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  request: CorrectionRequest,
): Promise<{ plan: Plan; changes: CorrectionChange[] }> {
  await checkRequest(tx, workspaceId, issueNumber, request)
  try {
    const plan = await planCorrection(tx, workspaceId, issueNumber, request)
    const changes = await changesOf(tx, workspaceId, plan)
    if (request.kind !== 'rename') return { plan, changes }
    const [insight] = await readInsightFields(tx, workspaceId, [issueNumber])
    const name = request.name ?? insight?.engine_name ?? insight?.name ?? null
    return { plan, changes: changes.map((change) => ({ ...change, name, becomes: 'renamed' as const })) }
  } catch (error) {
    if (error instanceof Refused) throw new ContractError('conflict', error.message)
    throw error
  }
}

/** Stores a request for a new insight of these ungrouped mentions. Throws `conflict` or `invalid_input`. */
export async function requestInsight(
  tx: Tx,
  workspaceId: string,
  mentions: string[],
  person: string,
): Promise<{ correction_id: string; state: 'waiting'; changes: CorrectionChange[] }> {
  await checkCreation(tx, workspaceId, mentions)
  const request = { kind: 'create' as const, mentions }
  const plan = await planCorrection(tx, workspaceId, null, request)
  const changes = await changesOf(tx, workspaceId, plan)
  const known = { issueNumber: null, other: null, mentions: plan.mentions, touched: [] }
  const id = await addCorrection(tx, workspaceId, { request, person, changes, ...known })
  return { correction_id: id, state: 'waiting', changes }
}

/**
 * Stores a correction. A rename, and what a mention is read as, are applied immediately; everything else waits for the next grouping, which the
 * caller requests in the same transaction, for a mention that is read differently too. Throws like `preview`.
 */
export async function requestCorrection(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  request: CorrectionRequest,
  { person, now }: Author,
): Promise<{ correction_id: string; state: 'applied' | 'waiting'; changes: CorrectionChange[] }> {
  if (request.kind === 'point') {
    await lockVersion(tx, workspaceId)
    const { changes } = await preview(tx, workspaceId, issueNumber, request)
    const id = await correctPoint(tx, workspaceId, issueNumber, request, { changes, person, now })
    return { correction_id: id, state: 'applied', changes }
  }
  if (request.kind !== 'rename') {
    const { plan, changes } = await preview(tx, workspaceId, issueNumber, request)
    const { other, mentions, touched } = plan
    const known = request.kind === 'split' ? { other: null, touched: [issueNumber] } : { other, touched }
    const suggestionScore = await readAnswered(tx, workspaceId, issueNumber, request)
    const row = { issueNumber, request, person, mentions, changes, suggestionScore, ...known }
    const id = await addCorrection(tx, workspaceId, row)
    if (suggestionScore !== null && 'mentions' in request) {
      await markAnswered(tx, workspaceId, issueNumber, request.mentions, id)
    }
    return { correction_id: id, state: 'waiting', changes }
  }
  const revision = await raiseRevision(tx, workspaceId)
  await setEventAuthor(tx, person)
  const { changes } = await preview(tx, workspaceId, issueNumber, request)
  const found = await readInsightFields(tx, workspaceId, [issueNumber])
  await writeName(tx, workspaceId, issueNumber, request.name, now)
  const made = await readInsightFields(tx, workspaceId, [issueNumber])
  await markInsights(tx, workspaceId, [issueNumber], revision)
  const id = await addCorrection(tx, workspaceId, {
    issueNumber,
    request,
    person,
    state: 'applied',
    other: null,
    mentions: 0,
    touched: [issueNumber],
    changes,
    found,
    made,
  })
  return { correction_id: id, state: 'applied', changes }
}

/**
 * Corrects what a mention is read as, wherever it is: like the correction of its insight, if it is in one that is shown. The caller requests a grouping
 * in the same transaction. Throws `not_found` or `conflict`.
 */
export async function requestPoint(
  tx: Tx,
  workspaceId: string,
  { mention, point }: { mention: string; point: string | null },
  { person, now }: Author,
): Promise<{ correction_id: string; state: 'applied' | 'waiting'; changes: CorrectionChange[] }> {
  const request = { kind: 'point', mention, point } as const
  await lockVersion(tx, workspaceId)
  const [row] = await readStatementsById(tx, workspaceId, [mention])
  if (!row) throw new ContractError('not_found', 'There is no such mention')
  const { issueNumber } = row
  const insight = issueNumber === null ? null : await readInsight(tx, workspaceId, issueNumber)
  if (insight?.shown) return requestCorrection(tx, workspaceId, insight.issue_number, request, { person, now })
  const id = await correctPoint(tx, workspaceId, null, request, { changes: [], person, now })
  return { correction_id: id, state: 'applied', changes: [] }
}

/**
 * Undoes a correction: immediately if it still waits, is a rename or about a point, else with the next grouping. `regroups`: the caller requests
 * that. `renamed`: the insights whose name changed. Throws `not_found`, or `conflict` with the reason when it cannot be undone.
 */
export async function undo(
  tx: Tx,
  workspaceId: string,
  id: string,
  { person, now }: Author,
): Promise<{ correction_id: string; state: 'undone' | 'waiting'; regroups: boolean; renamed: number[] }> {
  // Before the revision, as grouping takes them.
  if ((await readCorrection(tx, workspaceId, id))?.kind === 'point') await lockVersion(tx, workspaceId)
  const revision = await raiseRevision(tx, workspaceId)
  const row = await lockCorrection(tx, workspaceId, id)
  if (!row) throw new ContractError('not_found', 'There is no such correction')
  const current = await readInsightFields(tx, workspaceId, row.touched)
  const problem = undoObstacle(row, current)
  if (problem !== null) throw new ContractError('conflict', problem)
  if (row.kind === 'point') {
    await restorePoint(tx, workspaceId, row, { person, now })
    await completeUndo(tx, workspaceId, id, person, now, 'now')
    return { correction_id: id, state: 'undone', regroups: true, renamed: [] }
  }
  if (row.state === 'applied' && row.kind !== 'rename') {
    await requestUndo(tx, workspaceId, id, person)
    return { correction_id: id, state: 'waiting', regroups: true, renamed: [] }
  }
  if (row.kind === 'rename') {
    await setEventAuthor(tx, person)
    await writeInsightFields(tx, workspaceId, [formerName(row, current)], now)
    await markInsights(tx, workspaceId, row.touched, revision)
    for (const number of row.touched) await addEvent(tx, workspaceId, number, 'undone', { by: person, tag: 'rename' })
  }
  await completeUndo(tx, workspaceId, id, person, now, 'now')
  return { correction_id: id, state: 'undone', regroups: false, renamed: row.kind === 'rename' ? row.touched : [] }
}

/** The insight with its former name; if that was the engine's, with the engine's current one. */
function formerName({ found }: CorrectionRow, [is]: readonly InsightFields[]): InsightFields {
  const [was] = found
  if (!was || !is) throw new ContractError('conflict', 'The insight no longer exists')
  const name = was.name_by_person ? was.name : (is.engine_name ?? was.name)
  return { ...is, name, name_by_person: was.name_by_person }
}

/** One correction. Throws `not_found`. */
export async function viewCorrection(tx: Tx, workspaceId: string, id: string): Promise<Correction> {
  const row = await readCorrection(tx, workspaceId, id)
  if (!row) throw new ContractError('not_found', 'There is no such correction')
  return view(row, await readInsightFields(tx, workspaceId, row.touched))
}

/** The corrections that touched an insight, newest first. Throws `not_found` when there never was one with this number. */
export async function viewCorrections(tx: Tx, workspaceId: string, issueNumber: number): Promise<Correction[]> {
  const rows = await readCorrectionsOf(tx, workspaceId, issueNumber, MAX_LISTED)
  const numbers = new Set([issueNumber, ...rows.flatMap((row) => row.touched)])
  const insights = await readInsightFields(tx, workspaceId, [...numbers])
  if (!insights.some((one) => one.issue_number === issueNumber)) {
    throw new ContractError('not_found', 'There is no such insight')
  }
  return rows.map((row) => view(row, insights))
}

function view(row: CorrectionRow, current: readonly InsightFields[]): Correction {
  const { request } = row
  return {
    correction_id: row.id,
    issue_number: row.issueNumber,
    kind: row.kind,
    state: row.state,
    problem: row.problem,
    by: row.person,
    at: row.createdAt.toISOString(),
    undone_by: row.state === 'undone' ? row.undoneBy : null,
    undone_at: row.undoneAt?.toISOString() ?? null,
    can_undo: undoObstacle(row, current) === null,
    other: row.other,
    mentions: row.mentions,
    name: request.kind === 'rename' ? request.name : null,
    locked: request.kind === 'lock' ? request.locked : null,
    point: 'made' in request ? request.made : null,
    changes: row.changes,
  }
}

import type { Correction, CorrectionChange, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { InsightFields } from './store.ts'

/** A correction of a point, with what the mention was read as before and is read as since. */
type StoredPointRequest = Extract<CorrectionRequest, { kind: 'point' }> & { was: string; made: string }
/** A request to correct an insight, or to create one. */
export type Request = CorrectionRequest | StoredPointRequest | { kind: 'create'; mentions: string[] }

/**
 * A stored correction. `issueNumber`: null until the insight that it creates exists. `rulesLeft`: how many statements still have the
 * rule that it gave. `overruled`: a later rename or lock of the same insight, or point of the same mention, replaced it. `pointLeft`: the mention is still
 * read as it says.
 */
export type CorrectionRow = {
  id: string
  issueNumber: number | null
  kind: Correction['kind']
  request: Request
  state: Correction['state']
  undoing: boolean
  problem: string | null
  person: string
  undoneBy: string | null
  createdAt: Date
  undoneAt: Date | null
  other: number | null
  mentions: number
  touched: number[]
  changes: CorrectionChange[]
  found: InsightFields[]
  made: InsightFields[]
  rulesLeft: number
  overruled: boolean
  pointLeft: boolean
}

const columns = sql`id, issue_number as "issueNumber", kind, request, state, undoing, problem, person,
  undone_by as "undoneBy", created_at as "createdAt", undone_at as "undoneAt", other_number as other,
  mention_count as mentions, touched, changes, found, made,
  (select count(*)::int from statement_rule rule
    where rule.workspace_id = correction.workspace_id and rule.correction_id = correction.id) as "rulesLeft",
  correction.kind in ('rename', 'lock', 'point') and exists (select from correction later
    where later.workspace_id = correction.workspace_id and later.created_at > correction.created_at
      and later.kind = correction.kind and later.state = 'applied'
      and case correction.kind when 'point' then later.request ->> 'mention' = correction.request ->> 'mention'
        else later.touched[1] = correction.touched[1] end)
    as overruled,
  correction.kind = 'point' and exists (select from statement s
    where s.workspace_id = correction.workspace_id and s.item_id = split_part(correction.request ->> 'mention', ':', 1)::bigint
      and s.number = split_part(correction.request ->> 'mention', ':', 2)::smallint and s.point = correction.request ->> 'made')
    as "pointLeft"`

/** A correction by its id; null where the workspace has none. */
export async function readCorrection(tx: Tx, workspaceId: string, id: string): Promise<CorrectionRow | null> {
  const { rows } = await sql<CorrectionRow>`
    select ${columns} from correction where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Reads a correction and locks it until the transaction ends. */
export async function lockCorrection(tx: Tx, workspaceId: string, id: string): Promise<CorrectionRow | null> {
  await sql`select from correction where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx)
  return readCorrection(tx, workspaceId, id)
}

/** The corrections that touched an insight, newest first. */
export async function readCorrectionsOf(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<CorrectionRow[]> {
  const { rows } = await sql<CorrectionRow>`
    select ${columns} from correction
    where workspace_id = ${workspaceId} and ${issueNumber} = any(touched)
    order by created_at desc, id desc limit ${limit}`.execute(tx)
  return rows
}

/** The oldest correction or undo that the group index has to apply; null: none. */
export async function readNextCorrection(tx: Tx, workspaceId: string): Promise<CorrectionRow | null> {
  const { rows } = await sql<CorrectionRow>`
    select ${columns} from correction
    where workspace_id = ${workspaceId} and (state = 'waiting' or undoing)
    order by asked_at, id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Stores a correction and returns its id. */
export async function addCorrection(
  tx: Tx,
  workspaceId: string,
  row: Pick<CorrectionRow, 'issueNumber' | 'request' | 'person' | 'other' | 'mentions' | 'touched' | 'changes'> &
    Partial<Pick<CorrectionRow, 'state' | 'found' | 'made'>> & {
      /** of the suggestion that it answers */
      suggestionScore?: number | null
    },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into correction (workspace_id, issue_number, kind, request, state, person, other_number, mention_count, touched,
      changes, found, made, suggestion_score)
    values (${workspaceId}, ${row.issueNumber}, ${row.request.kind}, ${JSON.stringify(row.request)}::jsonb,
      ${row.state ?? 'waiting'}, ${row.person}, ${row.other}, ${row.mentions}, ${row.touched}::int[],
      ${JSON.stringify(row.changes)}::jsonb, ${JSON.stringify(row.found ?? [])}::jsonb,
      ${JSON.stringify(row.made ?? [])}::jsonb, ${row.suggestionScore ?? null}::real)
    returning id`.execute(tx)
  return rows[0]?.id ?? ''
}

/** Stores the outcome of an applied correction. False when it no longer waits. */
export async function completeCorrection(
  tx: Tx,
  workspaceId: string,
  id: string,
  row: Pick<CorrectionRow, 'other' | 'mentions' | 'touched' | 'changes' | 'found' | 'made'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update correction set state = 'applied', issue_number = coalesce(issue_number, ${row.touched[0] ?? null}::int),
      other_number = ${row.other}, mention_count = ${row.mentions},
      touched = ${row.touched}::int[], changes = ${JSON.stringify(row.changes)}::jsonb,
      found = ${JSON.stringify(row.found)}::jsonb, made = ${JSON.stringify(row.made)}::jsonb
    where workspace_id = ${workspaceId} and id = ${id} and state = 'waiting'`.execute(tx)
  return numAffectedRows === 1n
}

/** Records why a correction or its undo cannot be applied. */
export async function refuseCorrection(tx: Tx, workspaceId: string, id: string, problem: string): Promise<void> {
  await sql`
    update correction set problem = ${problem}, undoing = false,
      state = case when state = 'waiting' then 'refused' else state end
    where workspace_id = ${workspaceId} and id = ${id} and (state = 'waiting' or undoing)`.execute(tx)
}

/** Notes that a person undoes a correction. The next step of grouping does it. */
export async function requestUndo(tx: Tx, workspaceId: string, id: string, person: string): Promise<void> {
  await sql`
    update correction set undoing = true, asked_at = clock_timestamp(), undone_by = ${person}, problem = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Marks a correction as undone. False when its undo is no longer requested. */
export async function completeUndo(
  tx: Tx,
  workspaceId: string,
  id: string,
  person: string,
  now: Date,
  expected: 'undoing' | 'now',
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update correction set state = 'undone', undoing = false, undone_by = ${person}, undone_at = ${now}
    where workspace_id = ${workspaceId} and id = ${id} and state <> 'undone'
      ${expected === 'undoing' ? sql`and undoing` : sql``}`.execute(tx)
  return numAffectedRows === 1n
}

/** Adds to an insight's history what a person did. */
export async function addEvent(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  event: string,
  detail: { by: string; count?: number; other?: number; tag?: string; from?: string; to?: string },
): Promise<void> {
  await sql`
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (${workspaceId}, ${issueNumber}, ${event}, ${JSON.stringify(detail)}::jsonb)`.execute(tx)
}

/** Events written by database triggers name this person, until the end of the transaction. */
export async function setEventAuthor(tx: Tx, person: string): Promise<void> {
  await sql`select set_config('groundswell.person', ${person}, true)`.execute(tx)
}

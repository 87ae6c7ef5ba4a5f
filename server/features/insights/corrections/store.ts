import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'
import { members } from '../../workspaces/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import { notingMoves } from '../changes/move-store.ts'
import { joiningSets } from '../large-sets-store.ts'

/** A statement with its rule by a person. `text` is read only where the engine may not know the statement. */
export type StatementRow = {
  itemId: number
  number: number
  issueNumber: number | null
  /** the emerging insight that it is in */
  emergingNumber: number | null
  saidAt: Date
  person: string
  pin: number | null
  bans: number[] | null
  text: string | null
  /** what a language model read in it */
  point: string | null
}

/** A statement as a plan leaves it. `ruleOf`: the earlier correction whose rule is restored; null: the current one. */
export type PlannedRow = {
  itemId: number
  number: number
  to: number | null
  pin: number | null
  bans: number[]
  ruleOf: string | null
}

/** The fields of an insight that a correction may change. */
export type InsightFields = {
  issue_number: number
  name: string
  summary: string
  described_hash: string | null
  engine_name: string | null
  name_by_person: boolean
  status: string
  locked: boolean
  ended_at: string | null
  merged_into: number | null
  /** Not in what was stored before there was one. */
  team_status?: string | null
  team_status_by?: string | null
  team_status_at?: string | null
  assigned_to?: string | null
}

const columns = sql`s.item_id as "itemId", s.number, s.issue_number as "issueNumber",
  s.emerging_number as "emergingNumber", s.said_at as "saidAt", coalesce(item.author, item.id::text) as person, rule.pin, rule.bans, s.point`

const joined = (workspaceId: string) => sql`
  join ${feedbackItemsView} item on item.workspace_id = ${workspaceId} and item.id = s.item_id
  left join statement_rule rule on rule.workspace_id = ${workspaceId} and rule.item_id = s.item_id and rule.number = s.number`

/** All statements of these insights, without their texts. */
export async function readStatementsOf(
  tx: Tx,
  workspaceId: string,
  issueNumbers: readonly number[],
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${columns}, null as text from statement s ${joined(workspaceId)}
    where s.workspace_id = ${workspaceId} and s.issue_number = any(${[...issueNumbers]}::int[])
    order by s.item_id, s.number`.execute(tx)
  return rows
}

type WithMessage = { start: number; end: number; message: string }

const withText = <T extends WithMessage>({ start, end, message, ...row }: T) => ({
  ...row,
  text: message.slice(start, end),
})

/** Statements by id, with their texts; those that no longer exist are left out. */
export async function readStatementsById(
  tx: Tx,
  workspaceId: string,
  wanted: readonly string[],
): Promise<StatementRow[]> {
  const ids = [...new Set(wanted)]
  const { rows } = await sql<StatementRow & WithMessage>`
    select ${columns}, s.start_offset as start, s.end_offset as "end", left(item.text, s.end_offset) as message
    from unnest(${itemsOf(ids)}::bigint[], ${numbersOf(ids)}::int[]) as wanted (item_id, number)
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = wanted.item_id and s.number = wanted.number
    ${joined(workspaceId)}
    order by s.item_id, s.number`.execute(tx)
  return rows.map(withText)
}

const itemsOf = (ids: readonly string[]) => numberArray(ids.map((id) => id.slice(0, id.indexOf(':'))))
const numbersOf = (ids: readonly string[]) => numberArray(ids.map((id) => id.slice(id.indexOf(':') + 1)))

/** The highest number of an insight; 0 if there is none. */
export async function readLastNumber(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(issue_number), 0)::int as last from insight where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.last ?? 0
}

/** The insight that a number refers to now: itself or what it was merged into; null if there is none or it was deleted. */
export async function readCurrentNumber(tx: Tx, workspaceId: string, issueNumber: number): Promise<number | null> {
  const { rows } = await sql<{ number: number }>`
    with recursive chain (number, ended, deleted, next, hops) as (
      select issue_number, ended_at is not null, deleted_at is not null, merged_into, 0 from insight
      where workspace_id = ${workspaceId} and issue_number = ${issueNumber}
      union all
      select i.issue_number, i.ended_at is not null, i.deleted_at is not null, i.merged_into, chain.hops + 1
      from chain join insight i on i.workspace_id = ${workspaceId} and i.issue_number = chain.next
      where chain.ended and chain.hops < 1000
    )
    select number from chain where not ended and not deleted limit 1`.execute(tx)
  return rows[0]?.number ?? null
}

const fields = sql`issue_number, name, summary, described_hash, engine_name, name_by_person, status, locked, ended_at,
  merged_into, team_status, team_status_by, team_status_at, assigned_to`

/** The stored fields of these insights that corrections change. */
export async function readInsightFields(
  tx: Tx,
  workspaceId: string,
  issueNumbers: readonly number[],
): Promise<InsightFields[]> {
  const { rows } = await sql<{ row: InsightFields }>`
    select to_jsonb(one) as row from (
      select ${fields} from insight
      where workspace_id = ${workspaceId} and issue_number = any(${[...issueNumbers]}::int[]) order by issue_number
    ) one`.execute(tx)
  return rows.map(({ row }) => row)
}

/** Restores the names and states of insights. One that was assigned to a person who can no longer work on it is nobody's. */
export async function writeInsightFields(
  tx: Tx,
  workspaceId: string,
  rows: readonly InsightFields[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update insight set name = old.name, summary = old.summary, described_hash = old.described_hash,
      engine_name = old.engine_name, name_by_person = old.name_by_person, status = old.status, locked = old.locked,
      team_status = old.team_status, team_status_by = old.team_status_by, team_status_at = old.team_status_at,
      assigned_to = (select account_id from ${members} m
        where m.workspace_id = insight.workspace_id and m.account_id = old.assigned_to and m.role <> 'viewer'),
      person_changed_at = ${now}, last_updated = greatest(last_updated, ${now})
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as old (issue_number int, name text, summary text,
      described_hash text, engine_name text, name_by_person boolean, status text, locked boolean,
      team_status text, team_status_by text, team_status_at timestamptz, assigned_to uuid)
    where insight.workspace_id = ${workspaceId} and insight.issue_number = old.issue_number`.execute(tx)
}

/**
 * Saves the statements of a correction as they were, with their rules, for undo. A statement without an earlier rule that is pinned to
 * the insight it is already in is not saved: its new rule implies where it was.
 */
export async function saveOriginals(
  tx: Tx,
  workspaceId: string,
  correctionId: string,
  rows: readonly PlannedRow[],
): Promise<void> {
  if (rows.length === 0) return
  const keep = sql`
    insert into correction_statement (workspace_id, correction_id, item_id, number, issue_number,
      emerging_number, kind, score, reason, candidates, decided_by, decided_at, engine_version, pin, bans, rule_of)
    select ${workspaceId}::uuid, ${correctionId}::uuid, s.item_id, s.number, s.issue_number, s.emerging_number, s.kind, s.score,
      s.reason, s.candidates, s.decided_by, s.decided_at, s.engine_version, rule.pin, rule.bans, rule.correction_id
    from unnest(${numberArray(rows.map((row) => row.itemId))}::bigint[],
      ${numberArray(rows.map((row) => row.number))}::smallint[],
      ${numberArray(rows.map((row) => (row.bans.length > 0 ? null : row.pin)))}::int[])
      as planned (item_id, number, pin)
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = planned.item_id and s.number = planned.number
    left join statement_rule rule
      on rule.workspace_id = ${workspaceId} and rule.item_id = planned.item_id and rule.number = planned.number
    where rule.correction_id is not null or s.issue_number is distinct from planned.pin or planned.pin is null`
  await joiningSets(tx, rows.length, () => keep.execute(tx))
}

/** Stores the rules of a plan. Empty ones are left out: see `dropRules`. */
export async function writeRules(
  tx: Tx,
  workspaceId: string,
  correctionId: string,
  rows: readonly PlannedRow[],
): Promise<void> {
  const given = rows.filter((row) => row.pin !== null || row.bans.length > 0)
  if (given.length === 0) return
  await sql`
    insert into statement_rule (workspace_id, item_id, number, pin, bans, correction_id)
    select ${workspaceId}::uuid, planned.item_id, planned.number, planned.pin, planned.bans::int[],
      coalesce(planned.rule_of, ${correctionId}::uuid)
    from unnest(${numberArray(given.map((row) => row.itemId))}::bigint[],
      ${numberArray(given.map((row) => row.number))}::smallint[], ${numberArray(given.map((row) => row.pin))}::int[],
      ${textArray(given.map((row) => numberArray(row.bans)))}::text[],
      ${textArray(given.map((row) => row.ruleOf))}::uuid[]) as planned (item_id, number, pin, bans, rule_of)
    where (select true from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = planned.item_id)
    on conflict (workspace_id, item_id, number) do update
    set pin = excluded.pin, bans = excluded.bans, correction_id = excluded.correction_id`.execute(tx)
}

/** Deletes the rules that this correction gave and no later one replaced. */
export async function dropRules(tx: Tx, workspaceId: string, correctionId: string): Promise<void> {
  await sql`
    delete from statement_rule where workspace_id = ${workspaceId} and correction_id = ${correctionId}`.execute(tx)
}

/** Everything that people decided and that a rebuilt group index must respect. */
export async function readConstraints(
  tx: Tx,
  workspaceId: string,
): Promise<{
  rules: { statementId: string; pin: number; bans: number[] }[]
  merges: { from: number; into: number }[]
  locked: number[]
}> {
  const rules = await sql<{ statementId: string; pin: number; bans: number[] }>`
    select item_id || ':' || number as "statementId", coalesce(pin, -1) as pin, bans from statement_rule
    where workspace_id = ${workspaceId} order by item_id, number`.execute(tx)
  const merges = await sql<{ from: number; into: number }>`
    select issue_number as "from", merged_into as into from insight
    where workspace_id = ${workspaceId} and ended_at is not null and merged_into is not null
    order by issue_number`.execute(tx)
  const locked = await sql<{ number: number }>`
    select issue_number as number from insight where workspace_id = ${workspaceId} and locked
    order by issue_number`.execute(tx)
  return { rules: rules.rows, merges: merges.rows, locked: locked.rows.map((row) => row.number) }
}

/** A statement of a correction, as it is now and as it was before. */
export type OriginalRow = StatementRow & {
  was: {
    issueNumber: number | null
    emergingNumber: number | null
    pin: number | null
    bans: number[] | null
    ruleOf: string | null
  }
}

/**
 * The statements whose rule is still the one that this correction gave, with what they were before. Those that `saveOriginals` left out
 * were where their rule pins them.
 */
export async function readOriginals(tx: Tx, workspaceId: string, correctionId: string): Promise<OriginalRow[]> {
  type Rule = { id: string; pin: number | null; bans: number[] }
  const { rows: rules } = await sql<Rule>`
    select item_id || ':' || number as id, pin, bans from statement_rule
    where workspace_id = ${workspaceId} and correction_id = ${correctionId}`.execute(tx)
  const { rows: saved } = await sql<OriginalRow['was'] & { id: string }>`
    select item_id || ':' || number as id, issue_number as "issueNumber", emerging_number as "emergingNumber", pin, bans,
      rule_of as "ruleOf"
    from correction_statement where workspace_id = ${workspaceId} and correction_id = ${correctionId}`.execute(tx)
  const ids = rules.map((rule) => rule.id)
  // `offset 0` makes the planner look up each statement by its key: see `joiningSets`.
  const { rows } = await sql<Omit<StatementRow, 'pin' | 'bans'> & WithMessage>`
    select s.item_id as "itemId", s.number, s.issue_number as "issueNumber", s.emerging_number as "emergingNumber",
      s.said_at as "saidAt", coalesce(item.author, item.id::text) as person, s.start_offset as start, s.end_offset as "end",
      left(item.text, s.end_offset) as message
    from unnest(${itemsOf(ids)}::bigint[], ${numbersOf(ids)}::int[]) as wanted (item_id, number)
    cross join lateral (
      select * from statement
      where workspace_id = ${workspaceId} and item_id = wanted.item_id and number = wanted.number offset 0
    ) s
    cross join lateral (
      select id, author, text from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = wanted.item_id offset 0
    ) item
    order by s.item_id, s.number`.execute(tx)
  const found = new Map(saved.map(({ id, ...was }) => [id, was]))
  const ruled = new Map(rules.map((rule) => [rule.id, rule]))
  return rows.map(withText).map((row) => {
    const { id = '', pin = null, bans = [] } = ruled.get(`${row.itemId}:${row.number}`) ?? {}
    return {
      ...row,
      pin,
      bans,
      was: found.get(id) ?? { issueNumber: pin, emergingNumber: null, pin: null, bans: null, ruleOf: null },
    }
  })
}

/**
 * Restores the statements that still have the rule of a correction, with their former reasons, except those that go elsewhere now.
 * To be called before the moves and rules are stored, so that these are not written twice.
 */
export async function restoreStatements(
  tx: Tx,
  workspaceId: string,
  correctionId: string,
  { rows, elsewhere, now }: { rows: number; elsewhere: readonly string[]; now: Date },
): Promise<void> {
  const restore = sql`
    update statement s set issue_number = found.issue_number, emerging_number = found.emerging_number, kind = found.kind, score = found.score,
      reason = found.reason, candidates = found.candidates, decided_by = found.decided_by,
      decided_at = found.decided_at, engine_version = found.engine_version
    from correction_statement found
    join statement_rule rule on rule.workspace_id = ${workspaceId} and rule.item_id = found.item_id
      and rule.number = found.number and rule.correction_id = ${correctionId}
    join statement old on old.workspace_id = ${workspaceId} and old.item_id = found.item_id and old.number = found.number
    where found.workspace_id = ${workspaceId} and found.correction_id = ${correctionId}
      and s.workspace_id = ${workspaceId} and s.item_id = found.item_id and s.number = found.number
      and ((s.issue_number, s.emerging_number) is distinct from (found.issue_number, found.emerging_number)
        or s.decided_at <> found.decided_at)
      and s.item_id || ':' || s.number <> all(${textArray([...elsewhere])}::text[])
    returning s.item_id, old.issue_number as former, s.issue_number as present, 'person' as cause`
  await joiningSets(tx, rows, () => notingMoves(tx, workspaceId, restore, [], now))
}

/**
 * Deletes what was saved for the undo of a correction. A later correction of the same statement inherits it, so that undoing that one
 * too leads to the state before both.
 */
export async function deleteOriginals(tx: Tx, workspaceId: string, correctionId: string, rows: number): Promise<void> {
  const inherit = sql`
    update correction_statement later set issue_number = found.issue_number, emerging_number = found.emerging_number,
      kind = found.kind, score = found.score,
      reason = found.reason, candidates = found.candidates, decided_by = found.decided_by,
      decided_at = found.decided_at, engine_version = found.engine_version, pin = found.pin, bans = found.bans,
      rule_of = found.rule_of
    from correction_statement found
    where found.workspace_id = ${workspaceId} and found.correction_id = ${correctionId}
      and later.workspace_id = ${workspaceId} and later.item_id = found.item_id and later.number = found.number
      and later.rule_of = ${correctionId}`
  await joiningSets(tx, rows, () => inherit.execute(tx))
  await sql`
    update correction_statement set pin = null, bans = null, rule_of = null
    where workspace_id = ${workspaceId} and rule_of = ${correctionId}`.execute(tx)
  await sql`
    delete from correction_statement
    where workspace_id = ${workspaceId} and correction_id = ${correctionId}`.execute(tx)
}

/** Which of these emerging insights there are. */
export async function readLiveEmerging(tx: Tx, workspaceId: string, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<{ number: number }>`
    select number from emerging_insight
    where workspace_id = ${workspaceId} and number = any(${[...numbers]}::int[])`.execute(tx)
  return rows.map((row) => row.number)
}

/** Locks and unlocks insights. */
export async function writeLocks(
  tx: Tx,
  workspaceId: string,
  locks: readonly { issueId: number; locked: boolean }[],
): Promise<void> {
  for (const { issueId, locked } of locks) {
    await sql`
      update insight set locked = ${locked} where workspace_id = ${workspaceId} and issue_number = ${issueId}`.execute(
      tx,
    )
  }
}

/** Sets a person's name for an insight, or with null the engine's again. */
export async function writeName(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  name: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update insight set engine_name = coalesce(engine_name, name), name = coalesce(${name}, engine_name, name),
      name_by_person = ${name !== null}, person_changed_at = ${now},
      last_updated = greatest(last_updated, ${now})
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx)
}

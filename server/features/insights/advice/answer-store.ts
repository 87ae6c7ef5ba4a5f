import { randomUUID } from 'node:crypto'
import type { Advice, JudgeAnswer, JudgedGroup } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** Which model gave an answer, to which version of a prompt. Stored with every answer. */
export type AskedWith = { model: string; promptVersion: string }

/** A statement and the hash of its text. `number` is null when the text has changed since. */
export type NamedStatement = { itemId: number; number: number | null; hash: string }

/**
 * An answer about a statement and another one, or an insight. `askedBack`: the insight was asked about. `yes`: null when it was not shown, or no
 * answer was good enough.
 */
export type GivenAnswer = {
  statement: NamedStatement
  other: NamedStatement | number
  askedBack: boolean
  score: number
  yes: boolean | null
  isControl: boolean
}

const isOpen = sql`s.issue_number is null and s.kind <> 'noise'`

/**
 * What the model was asked about statements that are in no insight, and all its answers to controls. Questions that were not answered well
 * enough count as asked for the same model only.
 */
export async function readAnswers(
  tx: Tx,
  workspaceId: string,
  { model, promptVersion }: AskedWith,
): Promise<JudgeAnswer[]> {
  const { rows } = await sql<{
    id: string
    other: string | null
    issueId: number | null
    askedBack: boolean
    score: number
    yes: boolean | null
    isControl: boolean
  }>`
    select a.item_id || ':' || a.number as id, a.other_item_id || ':' || a.other_number as other, a.issue_number as "issueId",
      a.asked_back as "askedBack", a.score, a.yes, a.is_control as "isControl"
    from model_answer a
    left join statement s on s.workspace_id = ${workspaceId} and s.item_id = a.item_id and s.number = a.number and ${isOpen}
    where a.workspace_id = ${workspaceId} and a.prompt_version = ${promptVersion} and (a.yes is not null or a.model = ${model})
      and (s.item_id is not null or a.is_control)
      and (a.issue_number is not null or a.other_number is not null or a.is_control)
    order by a.answered_at, a.item_id, a.number`.execute(tx)
  return rows.map(({ id, other, issueId, askedBack, score, yes, isControl }): JudgeAnswer => {
    const candidate = issueId ?? other ?? ''
    const [of, said] = askedBack ? [candidate, id ?? ''] : [id ?? '', candidate]
    return { of, candidate: said, score, yes, isControl }
  })
}

/** Answers to controls, and how many of them were wrong. */
export type ControlCounts = { asked: number; wrong: number }

/** The answers about undecided messages to controls, by which `readAnswers` are weighed. */
export async function countControls(tx: Tx, workspaceId: string, promptVersion: string): Promise<ControlCounts> {
  const { rows } = await sql<ControlCounts>`
    select count(*)::int as asked, count(*) filter (where yes)::int as wrong from model_answer
    where workspace_id = ${workspaceId} and prompt_version = ${promptVersion} and is_control and yes is not null`.execute(
    tx,
  )
  return rows[0] ?? { asked: 0, wrong: 0 }
}

/** Attaches earlier answers to statements that were read again with the same words. Returns how many. */
export async function reuseAnswers(
  tx: Tx,
  workspaceId: string,
  statements: readonly NamedStatement[],
): Promise<number> {
  if (statements.length === 0) return 0
  const known = sql`unnest(${statements.map((one) => one.itemId)}::bigint[], ${statements.map((one) => one.hash)}::text[],
    ${statements.map((one) => one.number)}::smallint[]) as one (item_id, hash, number)`
  const own = await sql`
    update model_answer a set number = one.number from ${known}
    where a.workspace_id = ${workspaceId} and a.item_id = one.item_id and a.text_hash = one.hash and a.number is null
    returning 1`.execute(tx)
  const others = await sql`
    update model_answer a set other_number = one.number from ${known}
    where a.workspace_id = ${workspaceId} and a.other_item_id = one.item_id and a.other_hash = one.hash and a.other_number is null
    returning 1`.execute(tx)
  return own.rows.length + others.rows.length
}

/** Waits for a step of grouping that is being stored, and blocks the next one until the transaction ends, so that what it reads stays true. */
export async function holdGroups(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select from engine_state where workspace_id = ${workspaceId} for share`.execute(tx)
}

/** Stores answers. One that is stored already stays, unless it was not good enough. */
export async function storeAnswers(
  tx: Tx,
  workspaceId: string,
  answers: readonly GivenAnswer[],
  { model, promptVersion }: AskedWith,
  now: Date,
): Promise<void> {
  if (answers.length === 0) return
  const column = <T>(read: (one: GivenAnswer) => T) => answers.map(read)
  const other = <T>(read: (one: NamedStatement) => T) =>
    column((one) => (typeof one.other === 'number' ? null : read(one.other)))
  await sql`
    insert into model_answer as a (workspace_id, item_id, number, text_hash, other_item_id, other_number, other_hash, issue_number,
      asked_back, score, yes, is_control, model, prompt_version, answered_at)
    select ${workspaceId}::uuid, one.item_id, one.number, one.hash, one.other_item_id, one.other_number, one.other_hash, one.issue,
      one.asked_back, one.score, one.yes, one.is_control, ${model}, ${promptVersion}, ${now}::timestamptz
    from unnest(${column((one) => one.statement.itemId)}::bigint[], ${column((one) => one.statement.number)}::smallint[],
      ${column((one) => one.statement.hash)}::text[], ${other((one) => one.itemId)}::bigint[],
      ${other((one) => one.number)}::smallint[], ${other((one) => one.hash)}::text[],
      ${column((one) => (typeof one.other === 'number' ? one.other : null))}::int[], ${column((one) => one.askedBack)}::boolean[],
      ${column((one) => one.score)}::real[], ${column((one) => one.yes)}::boolean[], ${column((one) => one.isControl)}::boolean[])
      as one (item_id, number, hash, other_item_id, other_number, other_hash, issue, asked_back, score, yes, is_control)
    where exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = one.item_id)
      and (one.other_item_id is null
        or exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = one.other_item_id))
    on conflict (workspace_id, item_id, text_hash, other_item_id, other_hash, issue_number, asked_back, prompt_version) do update
    set number = excluded.number, other_number = excluded.other_number, yes = excluded.yes, model = excluded.model,
      answered_at = excluded.answered_at
    where a.yes is null`.execute(tx)
}

/**
 * Stores what follows from the answers, for the next grouping to carry out: statements that join an insight, and those that found an emerging
 * one together. `named`: the statements by id; what is not among them has changed since.
 */
export async function storeDecisions(
  tx: Tx,
  workspaceId: string,
  { joins, groups }: { joins: readonly Advice[]; groups: readonly JudgedGroup[] },
  named: ReadonlyMap<string, NamedStatement>,
  { model, promptVersion, now }: AskedWith & { now: Date },
): Promise<number> {
  const rows = [
    ...joins.map((one) => ({ ...one, founding: null })),
    ...groups.flatMap(({ statementIds, score }) => {
      const founding = randomUUID()
      return statementIds.map((statementId) => ({ statementId, issueId: 0, score, founding }))
    }),
  ].flatMap(({ statementId, ...one }) => {
    const statement = named.get(statementId)
    return statement ? [{ ...one, ...statement }] : []
  })
  if (rows.length === 0) return 0
  await sql`
    insert into model_join (workspace_id, item_id, text_hash, issue_number, prompt_version, number, score, verdict, state, founding,
      model, decided_at)
    select ${workspaceId}::uuid, one.item_id, one.hash, one.issue, ${promptVersion}, one.number, one.score, 'yes', 'waiting',
      one.founding, ${model}, ${now}::timestamptz
    from unnest(${rows.map((one) => one.itemId)}::bigint[], ${rows.map((one) => one.hash)}::text[],
      ${rows.map((one) => one.issueId)}::int[], ${rows.map((one) => one.number)}::smallint[],
      ${rows.map((one) => one.score)}::real[], ${rows.map((one) => one.founding)}::uuid[])
      as one (item_id, hash, issue, number, score, founding)
    on conflict (workspace_id, item_id, text_hash, issue_number, prompt_version) do update
    set number = excluded.number, score = excluded.score, verdict = excluded.verdict, state = excluded.state,
      founding = excluded.founding, model = excluded.model, decided_at = excluded.decided_at`.execute(tx)
  return rows.length
}

import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../feedback/index.ts'

/** Which model gave an answer, to which version of a prompt. Stored with every answer. */
export type AskedWith = { model: string; promptVersion: string }

export type Verdict = 'yes' | 'no' | 'none'

/** A statement that nearly joined an insight. `hash`: of its text; `score`: how near it was. */
type NearStatement = { itemId: number; number: number; hash: string; issueId: number; score: number }

/** What need not be asked again, as `statementId issueId`: answered, or not answered well enough by this model. */
export async function readAnswered(
  tx: Tx,
  workspaceId: string,
  { model, promptVersion }: AskedWith,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.item_id || ':' || j.number || ' ' || j.issue_number as id
    from model_join j join statement s on s.workspace_id = ${workspaceId} and s.item_id = j.item_id and s.number = j.number
    where j.workspace_id = ${workspaceId} and j.prompt_version = ${promptVersion} and s.kind = 'pending'
      and (j.verdict <> 'none' or j.model = ${model})`.execute(tx)
  return rows.map((row) => row.id)
}

/**
 * Applies earlier verdicts to messages that were read again with the same words. `open`: the cases without one. `reused`: how
 * many verdicts the next grouping has to carry out.
 */
export async function reuseVerdicts<Case extends NearStatement>(
  tx: Tx,
  workspaceId: string,
  cases: readonly Case[],
  { model, promptVersion }: AskedWith,
): Promise<{ open: Case[]; reused: number }> {
  if (cases.length === 0) return { open: [], reused: 0 }
  const { rows } = await sql<{ key: string; verdict: string }>`
    update model_join j
    set number = one.number, state = case when j.verdict = 'yes' then 'waiting' end
    from unnest(${cases.map((one) => one.itemId)}::bigint[], ${cases.map((one) => one.hash)}::text[],
      ${cases.map((one) => one.issueId)}::int[], ${cases.map((one) => one.number)}::smallint[])
      as one (item_id, hash, issue, number)
    where j.workspace_id = ${workspaceId} and j.item_id = one.item_id and j.text_hash = one.hash
      and j.issue_number = one.issue and j.prompt_version = ${promptVersion} and j.number is null
      and (j.verdict <> 'none' or j.model = ${model})
    returning j.item_id || ' ' || j.text_hash || ' ' || j.issue_number as key, j.verdict`.execute(tx)
  const known = new Set(rows.map((row) => row.key))
  const open = cases.filter((one) => !known.has(`${one.itemId} ${one.hash} ${one.issueId}`))
  return { open, reused: rows.filter((row) => row.verdict === 'yes').length }
}

/** Blocks grouping until the transaction ends, so that what it reads stays true. */
export async function holdGroups(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select from engine_state where workspace_id = ${workspaceId} for share`.execute(tx)
}

/**
 * Stores verdicts. A yes waits for the next grouping, unless the message has changed since (`unchanged` is false). Verdicts
 * that are already stored stay.
 */
export async function storeVerdicts(
  tx: Tx,
  workspaceId: string,
  answers: readonly { of: NearStatement; verdict: Verdict; unchanged: boolean }[],
  { model, promptVersion }: AskedWith,
  now: Date,
): Promise<void> {
  const column = <T>(read: (of: NearStatement) => T) => answers.map((one) => read(one.of))
  await sql`
    insert into model_join as j (workspace_id, item_id, text_hash, issue_number, prompt_version, number, score, verdict,
      state, model, decided_at)
    select ${workspaceId}::uuid, one.item_id, one.hash, one.issue, ${promptVersion}, one.number, one.score, one.verdict,
      case when one.verdict = 'yes' and one.number is not null then 'waiting' end, ${model}, ${now}::timestamptz
    from unnest(${column((of) => of.itemId)}::bigint[], ${column((of) => of.hash)}::text[],
      ${column((of) => of.issueId)}::int[], ${answers.map(({ of, unchanged }) => (unchanged ? of.number : null))}::smallint[],
      ${column((of) => of.score)}::real[], ${answers.map((one) => one.verdict)}::text[])
      as one (item_id, hash, issue, number, score, verdict)
    where exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and id = one.item_id)
    on conflict (workspace_id, item_id, text_hash, issue_number, prompt_version) do update
    set number = excluded.number, verdict = excluded.verdict, state = excluded.state, model = excluded.model,
      decided_at = excluded.decided_at
    where j.verdict = 'none'`.execute(tx)
}

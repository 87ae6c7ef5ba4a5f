import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** A stored comment. `accountId`: its author; null: the account was deleted. `mentions`: the accounts of the people whom it mentions. */
export type CommentRow = {
  id: string
  issueNumber: number
  accountId: string | null
  text: string
  mentions: string[]
  writtenAt: Date
  editedAt: Date | null
}

const columns = sql`id, issue_number as "issueNumber", account_id as "accountId", text, mentions, written_at as "writtenAt",
  edited_at as "editedAt"`

/** How many comments there are on these insights. */
export async function countComments(tx: Tx, workspaceId: string, issueNumbers: readonly number[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from insight_comment
    where workspace_id = ${workspaceId} and issue_number = any(${[...issueNumbers]}::int[])`.execute(tx)
  return rows[0]?.total ?? 0
}

/** The newest comments on these insights, the newest first; with `before`, those that were written before that one. */
export async function readComments(
  tx: Tx,
  workspaceId: string,
  issueNumbers: readonly number[],
  { before, limit }: { before: string | undefined; limit: number },
): Promise<CommentRow[]> {
  const earlier = before
    ? sql`and (written_at, id) < (select written_at, id from insight_comment where workspace_id = ${workspaceId} and id = ${before})`
    : sql``
  const { rows } = await sql<CommentRow>`
    select ${columns} from insight_comment
    where workspace_id = ${workspaceId} and issue_number = any(${[...issueNumbers]}::int[]) ${earlier}
    order by written_at desc, id desc limit ${limit}`.execute(tx)
  return rows
}

/** A comment; null when there is none. */
export async function readComment(tx: Tx, workspaceId: string, id: string): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${columns} from insight_comment where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockComment(tx: Tx, workspaceId: string, id: string): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    select ${columns} from insight_comment where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/** Stores a comment. */
export async function insertComment(
  tx: Tx,
  workspaceId: string,
  { issueNumber, accountId, text, mentions, writtenAt }: Omit<CommentRow, 'id' | 'editedAt'>,
): Promise<CommentRow> {
  const { rows } = await sql<CommentRow>`
    insert into insight_comment (workspace_id, issue_number, account_id, text, mentions, written_at)
    values (${workspaceId}, ${issueNumber}, ${accountId}, ${text}, ${mentions}::uuid[], ${writtenAt})
    returning ${columns}`.execute(tx)
  return rows[0] as CommentRow
}

/** Changes what a comment says. */
export async function writeComment(
  tx: Tx,
  workspaceId: string,
  { id, text, mentions, editedAt }: Pick<CommentRow, 'id' | 'text' | 'mentions' | 'editedAt'>,
): Promise<void> {
  await sql`
    update insight_comment set text = ${text}, mentions = ${mentions}::uuid[], edited_at = ${editedAt}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Deletes a comment. */
export async function removeComment(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from insight_comment where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

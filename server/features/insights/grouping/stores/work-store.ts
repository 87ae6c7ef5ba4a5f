import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { feedbackItemsView } from '../../../feedback/index.ts'
import { pointsOf, type StoredPoint } from './point-store.ts'
import { piecesOf, textHash } from './split-store.ts'

/**
 * An item that waits to be grouped. `version` changes with every write to the item; `numbers` are the statements of its earlier
 * text, `issueNumbers` and `emergingNumbers` the insights and emerging insights they were mentions of. `pieces`: how a language model split this text, as alternating start
 * and end offsets. `points`: what it read in it, in place of the pieces.
 */
export type WaitingItem = {
  id: number
  text: string
  author: string | null
  thread: string | null
  saidAt: Date
  version: string
  numbers: number[] | null
  issueNumbers: number[] | null
  emergingNumbers: number[] | null
  pieces: number[] | null
  points: StoredPoint[] | null
}

/** A deleted item whose statements are still in the group index. `arrivedAt`: when it had been stored; null where a process of an earlier version deleted it. */
export type ForgottenItem = {
  itemId: number
  numbers: number[]
  issueNumbers: number[]
  emergingNumbers: number[]
  arrivedAt: Date | null
}

/** An insight that a person deleted, or restored; also an emerging one. */
export type DeletionMark = { issueNumber: number; deleted: boolean }

/** The engine reads this many UTF-16 units of a text; as many characters contain at least that. */
export const MAX_TEXT_CHARACTERS = 65_536
/** Limits the memory that one step takes, however many items that is. */
const MAX_STEP_CHARACTERS = 4_000_000
const MAX_FORGOTTEN = 5_000

/** Items that wait to be grouped, in the order in which they were stored. */
export async function readWaiting(tx: Tx, workspaceId: string, limit: number): Promise<WaitingItem[]> {
  const { rows } = await sql<WaitingItem>`
    select id, text, author, thread, "saidAt", version, old.numbers, old."issueNumbers", old."emergingNumbers",
      ${piecesOf(workspaceId)} as pieces, ${pointsOf(workspaceId)} as points
    from (
      select id, text, author, thread, "saidAt", version, hash, sum(length(text)) over (order by id) - length(text) as before
      from (
        select id, left(text, ${MAX_TEXT_CHARACTERS}::int) as text, author, thread, said_at as "saidAt", version,
          ${textHash} as hash
        from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq is null
        order by id limit ${limit}
      ) first
    ) waiting
    cross join lateral (
      select array_agg(number) as numbers, array_agg(issue_number order by number) filter (where issue_number is not null) as "issueNumbers",
        array_agg(emerging_number) filter (where emerging_number is not null) as "emergingNumbers"
      from statement where workspace_id = ${workspaceId} and item_id = waiting.id
    ) old
    where before < ${MAX_STEP_CHARACTERS}::bigint
    order by id`.execute(tx)
  return rows
}

/** Deleted items that the group index has to forget. */
export async function readForgotten(tx: Tx, workspaceId: string): Promise<ForgottenItem[]> {
  const { rows } = await sql<ForgottenItem>`
    select item_id as "itemId", numbers, issue_numbers as "issueNumbers", emerging_numbers as "emergingNumbers", stored_at as "arrivedAt"
    from forgotten_item
    where workspace_id = ${workspaceId} order by item_id limit ${MAX_FORGOTTEN}`.execute(tx)
  return rows
}

/** Insights, without emerging ones, that were deleted or restored since the last step. */
export async function readMarks(tx: Tx, workspaceId: string): Promise<DeletionMark[]> {
  const { rows } = await sql<DeletionMark>`
    select issue_number as "issueNumber", deleted_at is not null as deleted from insight
    where workspace_id = ${workspaceId} and removed_in_engine <> (deleted_at is not null)
    order by issue_number`.execute(tx)
  return rows
}

/** Workspaces in which anything waits to be grouped. Run without a workspace. */
export async function workspacesToGroup(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_group() as id`.execute(tx)
  return rows.map((row) => row.id)
}

import type { ReadingScope } from '@groundswell/contract/feedback/reading.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/**
 * Which messages of a workspace the language model reads: those after message `since`, and the earlier ones up to `before` that are
 * unread (0: none is).
 */
export type ReadingChoice = {
  scope: ReadingScope
  paused: boolean
  /** whether it reviews insights, too */
  reviews: boolean
  since: number
  before: number
  chosenBy: string
  chosenAt: Date
}

/** The choice of a workspace; null while nobody has switched reading on. */
export async function readChoice(tx: Tx, workspaceId: string): Promise<ReadingChoice | null> {
  const { rows } = await sql<ReadingChoice>`
    select scope, paused, reviews, since_item as since, before_item as before, chosen_by as "chosenBy", chosen_at as "chosenAt"
    from reading_choice where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? null
}

/** Whether the language model reads messages of this workspace now. */
export async function isReading(tx: Tx, workspaceId: string): Promise<boolean> {
  const choice = await readChoice(tx, workspaceId)
  return choice !== null && !choice.paused
}

/**
 * Stores the choice. `reviews`: absent: as before. `last`: the last message that is stored. A workspace that reads already keeps its beginning; with `all`, the earlier
 * messages are looked through again.
 */
export async function writeChoice(
  tx: Tx,
  workspaceId: string,
  {
    scope,
    paused,
    reviews,
    last,
    by,
    now,
  }: Pick<ReadingChoice, 'scope' | 'paused'> & {
    reviews?: boolean
    last: number
    by: string
    now: Date
  },
): Promise<void> {
  await sql`
    insert into reading_choice as former (workspace_id, scope, paused, reviews, since_item, before_item, chosen_by, chosen_at)
    values (${workspaceId}, ${scope}, ${paused}, ${reviews ?? false}, ${last}::bigint, ${scope === 'all' ? last : 0}::bigint, ${by}, ${now}::timestamptz)
    on conflict (workspace_id) do update
    set scope = excluded.scope, paused = excluded.paused, reviews = coalesce(${reviews ?? null}::boolean, former.reviews), chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at,
      before_item = case when excluded.scope = 'new' then 0 when former.scope = 'all' then former.before_item
        else former.since_item end`.execute(tx)
}

/** Switches reading off. What was read stays. */
export async function deleteChoice(tx: Tx, workspaceId: string): Promise<void> {
  await sql`delete from reading_choice where workspace_id = ${workspaceId}`.execute(tx)
}

/** Records the newest of the earlier messages that is unread; 0: none is. */
export async function storeBefore(tx: Tx, workspaceId: string, before: number): Promise<void> {
  await sql`
    update reading_choice set before_item = ${before}::bigint
    where workspace_id = ${workspaceId} and before_item > ${before}::bigint`.execute(tx)
}

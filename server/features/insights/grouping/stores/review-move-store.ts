import type { ReviewDecisions, Reviewed, ReviewMerge, ReviewMove } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { numberArray } from '../../array-literal.ts'

const MAX_MOVES_PER_STEP = 500
const MAX_MERGES_PER_STEP = 50
/** Mentions that can be put back in one correction. */
export const MAX_RETURNED = 500

const statementId = sql`item_id || ':' || number`

/** What reviews decided and no step has carried out yet, oldest first. */
export async function readDecisions(tx: Tx, workspaceId: string): Promise<ReviewDecisions> {
  const merges = await sql<ReviewMerge>`
    select issue_number as "from", merge_into as "into" from model_review
    where workspace_id = ${workspaceId} and merge_into is not null order by issue_number limit ${MAX_MERGES_PER_STEP}`.execute(
    tx,
  )
  return { moves: await readMovesIn(tx, workspaceId, 'waiting', MAX_MOVES_PER_STEP), merges: merges.rows }
}

/** Locks what reviews decided and a step was given. False when some of it was withdrawn since. */
export async function claimDecisions(
  tx: Tx,
  workspaceId: string,
  { moves, merges }: ReviewDecisions,
): Promise<boolean> {
  if (moves.length + merges.length === 0) return true
  const waiting = await sql`
    select from model_move
    join unnest(${moves.map((one) => one.statementId)}::text[], ${moves.map((one) => one.from)}::int[]) as one (id, origin)
      on ${statementId} = one.id and from_number = one.origin
    where workspace_id = ${workspaceId} and state = 'waiting' for update of model_move`.execute(tx)
  const merging = await sql`
    select from model_review
    join unnest(${merges.map((one) => one.from)}::int[], ${merges.map((one) => one.into)}::int[]) as one (origin, target)
      on issue_number = one.origin and merge_into = one.target
    where workspace_id = ${workspaceId} for update of model_review`.execute(tx)
  return waiting.rows.length === moves.length && merging.rows.length === merges.length
}

/** What reviews decided and steps have carried out: a rebuilt group index needs it. */
export async function readHeldMoves(tx: Tx, workspaceId: string): Promise<ReviewMove[]> {
  return readMovesIn(tx, workspaceId, 'held', null)
}

async function readMovesIn(
  tx: Tx,
  workspaceId: string,
  state: 'waiting' | 'held',
  limit: number | null,
): Promise<ReviewMove[]> {
  const { rows } = await sql<ReviewMove & { part: number | null }>`
    select item_id || ':' || number as "statementId", from_number as "from", to_number as "to", part from model_move
    where workspace_id = ${workspaceId} and state = ${state}
    order by decided_at, from_number, item_id, number limit ${limit}::int`.execute(tx)
  return rows.map(({ part, ...move }) => (part === null || move.to > 0 ? move : { ...move, part }))
}

/** Records which of the moves given to a step it made (`taken`). The others no longer fitted and are forgotten. */
export async function settleMoves(
  tx: Tx,
  workspaceId: string,
  given: readonly ReviewMove[],
  taken: readonly ReviewMove[],
): Promise<void> {
  if (given.length === 0) return
  await sql`
    update model_move set state = 'held', to_number = one.target
    from unnest(${taken.map((one) => one.statementId)}::text[], ${taken.map((one) => one.from)}::int[],
      ${taken.map((one) => one.to)}::int[]) as one (id, origin, target)
    where workspace_id = ${workspaceId} and state = 'waiting' and ${statementId} = one.id and from_number = one.origin`.execute(
    tx,
  )
  await sql`
    delete from model_move using unnest(${given.map((one) => one.statementId)}::text[], ${given.map((one) => one.from)}::int[])
      as one (id, origin)
    where workspace_id = ${workspaceId} and state = 'waiting' and ${statementId} = one.id and from_number = one.origin`.execute(
    tx,
  )
}

/** Records which of the merges given to a step it made, with the mentions that moved. The others no longer fitted and are forgotten. */
export async function settleMerges(
  tx: Tx,
  workspaceId: string,
  given: readonly ReviewMerge[],
  merged: Reviewed['merged'],
  now: Date,
): Promise<void> {
  if (given.length === 0) return
  for (const { from, into, statementIds } of merged) {
    await sql`
      insert into model_move as move (workspace_id, item_id, number, from_number, to_number, state, later, whole, model, prompt_version, decided_at)
      select workspace_id, split_part(id, ':', 1)::bigint, split_part(id, ':', 2)::smallint, issue_number, ${into}::int, 'held', merge_later, true, model,
        prompt_version, ${now}::timestamptz
      from model_review, unnest(${[...statementIds]}::text[]) as one (id)
      where workspace_id = ${workspaceId} and issue_number = ${from}
      on conflict (workspace_id, item_id, number, from_number) do update
      set to_number = excluded.to_number, state = 'held', whole = true, later = excluded.later, decided_at = excluded.decided_at`.execute(
      tx,
    )
    // What came was reviewed: the insight has not grown.
    await sql`
      update model_review set mention_count = mention_count + ${statementIds.length}::int
      where workspace_id = ${workspaceId} and issue_number = ${into}`.execute(tx)
  }
  await sql`
    update model_review set merge_into = null, same = '{}'
    where workspace_id = ${workspaceId} and issue_number = any(${given.map(({ from }) => from)}::int[])`.execute(tx)
}

/** Tells in the history of insights what reviews moved. Call after new insights are stored. */
export async function tellReviewed(
  tx: Tx,
  workspaceId: string,
  { taken, merged }: Pick<Reviewed, 'taken' | 'merged'>,
): Promise<void> {
  for (const one of Map.groupBy(taken, ({ from, to }) => `${from} ${to}`).values()) {
    const { from, to } = one[0] as ReviewMove
    await addReviewEvent(tx, workspaceId, from, 'reviewed_out', { count: one.length, ...(to > 0 ? { other: to } : {}) })
    if (to > 0) await addReviewEvent(tx, workspaceId, to, 'reviewed_in', { count: one.length, other: from })
  }
  for (const { from, into, statementIds } of merged) {
    await addReviewEvent(tx, workspaceId, into, 'reviewed_in', { count: statementIds.length, other: from })
  }
}

async function addReviewEvent(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  event: 'reviewed_out' | 'reviewed_in',
  detail: { count: number; other?: number },
): Promise<void> {
  await sql`
    insert into insight_event (workspace_id, issue_number, event, detail)
    select workspace_id, issue_number, ${event}::text, ${JSON.stringify(detail)}::jsonb from insight
    where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx)
}

/** Forgets the moves of messages that are grouped again. */
export async function forgetMoves(tx: Tx, workspaceId: string, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    delete from model_move
    where workspace_id = ${workspaceId} and item_id = any(${numberArray(itemIds)}::bigint[])`.execute(tx)
}

/** The mentions that reviews took out of an insight and that a person can put back: not those about which people have decided since. */
export async function readReturnable(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select move.item_id || ':' || move.number as id from model_move move
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = move.item_id and s.number = move.number
      and s.issue_number is distinct from ${issueNumber}::int
    where move.workspace_id = ${workspaceId} and move.from_number = ${issueNumber}::int and move.state = 'held'
      and not exists (select from statement_rule rule
        where rule.workspace_id = ${workspaceId} and rule.item_id = move.item_id and rule.number = move.number)
    order by move.decided_at desc, move.item_id, move.number limit ${limit}`.execute(tx)
  return rows.map((row) => row.id)
}

/** The insights that reviews merged into this one, with their mentions that a person can take out again, and have not placed since. */
export async function readMergedIn(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  limit: number,
): Promise<{ issueNumber: number; mentions: string[] }[]> {
  const { rows } = await sql<{ issueNumber: number; mentions: string[] }>`
    select from_number as "issueNumber", (array_agg(move.item_id || ':' || move.number order by move.item_id, move.number))[:${limit}::int] as mentions
    from model_move move
    join statement s on s.workspace_id = ${workspaceId} and s.item_id = move.item_id and s.number = move.number
      and s.issue_number = ${issueNumber}::int
    where move.workspace_id = ${workspaceId} and move.to_number = ${issueNumber}::int and move.state = 'held' and move.whole
      and not exists (select from statement_rule rule
        where rule.workspace_id = ${workspaceId} and rule.item_id = move.item_id and rule.number = move.number)
    group by from_number order by max(move.decided_at) desc, from_number`.execute(tx)
  return rows
}

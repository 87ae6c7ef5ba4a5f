import type { TeamStatusChange } from '@groundswell/contract/insights/team-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Inheritance } from '../inherit-store.ts'

/** The team status of an insight. `by`: the person who set it, also to none; null: nobody or a tracker. */
type TeamStatusRow = { number: number; value: TeamStatusChange['team_status']; by: string | null; shown: boolean }

/** The team status of these insights, shown or not, locked until the transaction ends. */
export async function lockTeamStatuses(
  tx: Tx,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, TeamStatusRow>> {
  const { rows } = await sql<TeamStatusRow>`
    select issue_number as number, team_status as value, team_status_by as by,
      deleted_at is null and ended_at is null and not hidden as shown
    from insight where workspace_id = ${workspaceId} and issue_number = any(${[...numbers]}::int[])
    order by issue_number for update`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}

/** Stores what a person set; where it is automatic, a tracker may change it. A trigger adds it to the history. */
export async function writeTeamStatuses(
  tx: Tx,
  workspaceId: string,
  changes: readonly TeamStatusChange[],
  { person, at, revision }: { person: string; at: Date; revision: number },
): Promise<void> {
  await sql`
    update insight set team_status = change.value, revision = ${revision}::bigint,
      team_status_by = case when change.automatic then null else ${person} end,
      team_status_at = case when change.automatic and change.value is null then null else ${at}::timestamptz end
    from unnest(${changes.map((one) => one.issue_number)}::int[], ${changes.map((one) => one.team_status)}::text[],
      ${changes.map((one) => one.automatic === true)}::boolean[]) as change (number, value, automatic)
    where workspace_id = ${workspaceId} and issue_number = change.number`.execute(tx)
}

/**
 * An insight without a team status inherits the one of an insight that was merged into it. Of several a person's is taken first, then the
 * latest.
 */
export const TEAM_STATUS: Inheritance = {
  columns: ['team_status', 'team_status_by', 'team_status_at'],
  first: sql`one.team_status_by is null, one.team_status_at desc, merge.number`,
}

/** The shown insights that are shipped and became so after a time, the latest first. */
export async function readShipped(tx: Tx, workspaceId: string, since: Date): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select issue_number as number from insight
    where workspace_id = ${workspaceId} and deleted_at is null and ended_at is null and not hidden
      and team_status = 'shipped' and team_status_at > ${since}::timestamptz
    order by team_status_at desc, issue_number desc`.execute(tx)
  return rows.map((row) => row.number)
}

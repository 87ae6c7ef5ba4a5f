import type { InsightStatus } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { raiseRevision } from './revision.ts'

/** Marks an insight as pushed to a destination, if its status is `created` or `regressed`. */
export async function markPushed(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await changeStatus(tx, workspaceId, issueNumber, ['created', 'regressed'], 'pushed')
}

/**
 * Marks an insight as resolved: it was closed in every tracker. Mentions that arrive from now on make it regress. `isDone`: because it was
 * done, so that its team status becomes shipped, unless a person set one.
 */
export async function markResolved(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { isDone }: { isDone: boolean } = { isDone: true },
): Promise<void> {
  const shipped = isDone ? { to: 'shipped' as const, from: null } : undefined
  await changeStatus(tx, workspaceId, issueNumber, ['created', 'pushed', 'regressed'], 'resolved', shipped)
}

/**
 * Brings the team status of an insight whose items are all closed to what they say now, unless a person set one: the reason why an item was closed may
 * change afterwards.
 */
export async function markOutcome(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { isDone }: { isDone: boolean },
): Promise<void> {
  const team: TeamChange = isDone ? { from: null, to: 'shipped' } : { from: 'shipped', to: null }
  const changes = sql`${mayChangeTeam(workspaceId, issueNumber, team)} and status in ('resolved', 'regressed')`
  const { rows } = await sql`select 1 from insight where ${changes}`.execute(tx)
  if (rows.length === 0) return
  const revision = await raiseRevision(tx, workspaceId)
  await sql`update insight set revision = ${revision}::bigint where ${changes}`.execute(tx)
  await changeTeam(tx, workspaceId, issueNumber, team)
}

/** Marks a resolved or regressed insight as pushed: it was reopened in a tracker. It gets its previous team status. */
export async function markReopened(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await changeStatus(tx, workspaceId, issueNumber, ['resolved', 'regressed'], 'pushed', { from: 'shipped', to: null })
}

/** Marks an insight as not pushed, so that it is offered again: no tracker has an item of it any more. */
export async function markOffered(tx: Tx, workspaceId: string, issueNumber: number): Promise<void> {
  await changeStatus(tx, workspaceId, issueNumber, ['pushed', 'resolved', 'regressed'], 'created', {
    from: 'shipped',
    to: null,
  })
}

/** What a tracker makes of the team status, where no person set one and it is `from`. */
type TeamChange = { from: 'shipped' | null; to: 'shipped' | null }

async function changeStatus(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  from: readonly InsightStatus[],
  to: InsightStatus,
  team?: TeamChange,
): Promise<void> {
  const changes = sql`workspace_id = ${workspaceId} and issue_number = ${issueNumber} and status = any(${[...from]}::text[])`
  const { rows } = await sql`select 1 from insight where ${changes}`.execute(tx)
  if (rows.length === 0) return
  const revision = await raiseRevision(tx, workspaceId)
  await sql`
    update insight set status = ${to}, revision = ${revision}::bigint,
      resolved_heard = ${to === 'resolved' ? sql`heard` : sql`null`}
    where ${changes}`.execute(tx)
  if (team) await changeTeam(tx, workspaceId, issueNumber, team)
}

async function changeTeam(tx: Tx, workspaceId: string, issueNumber: number, team: TeamChange): Promise<void> {
  await sql`
    update insight set team_status = ${team.to}::text, team_status_at = ${team.to === null ? sql`null` : sql`now()`}
    where ${mayChangeTeam(workspaceId, issueNumber, team)}`.execute(tx)
}

const mayChangeTeam = (workspaceId: string, issueNumber: number, { from }: TeamChange) => sql`
  workspace_id = ${workspaceId} and issue_number = ${issueNumber} and team_status_by is null
  and team_status is not distinct from ${from}::text`

/** Marks as regressed each resolved insight that was mentioned since; of these issues only, where they are named. */
export async function markRegressed(tx: Tx, workspaceId: string, numbers?: readonly number[]): Promise<void> {
  const changes = sql`workspace_id = ${workspaceId} and status = 'resolved' and heard > resolved_heard
    ${numbers ? sql`and issue_number = any(${[...numbers]}::int[])` : sql``}`
  const { rows } = await sql`select 1 from insight where ${changes} limit 1`.execute(tx)
  if (rows.length === 0) return
  const revision = await raiseRevision(tx, workspaceId)
  await sql`
    update insight set status = 'regressed', revision = ${revision}::bigint, resolved_heard = null
    where ${changes}`.execute(tx)
}

/** Adds to an insight's history that a tracker no longer has its item. `label`: how people called it there. */
export async function noteItemGone(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { destination, label }: { destination: string; label: string | null },
): Promise<void> {
  const detail = { tag: destination, ...(label === null ? {} : { to: label }) }
  await sql`
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (${workspaceId}, ${issueNumber}, 'item_gone', ${JSON.stringify(detail)}::jsonb)`.execute(tx)
}

/** Notes in the history of an insight that its item at a destination got another title because the insight did. */
export async function noteItemRenamed(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { destination, from, to }: { destination: string; from: string; to: string },
): Promise<void> {
  const detail = { tag: destination, from, to }
  await sql`
    insert into insight_event (workspace_id, issue_number, event, detail)
    values (${workspaceId}, ${issueNumber}, 'item_renamed', ${JSON.stringify(detail)}::jsonb)`.execute(tx)
}

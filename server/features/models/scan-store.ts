import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { feedbackItemsView } from '../feedback/index.ts'
import { groupsView } from '../insights/index.ts'

/** What workspaces are scanned for. */
export type ScanTask = 'joins' | 'splits' | 'readings'

/**
 * Whether a workspace is to be scanned: its groups have changed since the last scan, or the model or prompt has, or the task is behind with
 * what it found (`isBehind`); and no feedback waits to be grouped.
 */
export async function isScanDue(
  tx: Tx,
  workspaceId: string,
  task: ScanTask,
  { madeWith, now, isBehind = false }: { madeWith: string; now: Date; isBehind?: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    select from ${groupsView} groups
    left join model_look scan on scan.workspace_id = groups.workspace_id and scan.task = ${task}
    where groups.workspace_id = ${workspaceId} and groups.version > 0
      and (scan.head is distinct from groups.version or scan.made_with <> ${madeWith} or scan.failures > 0
        or ${isBehind}::boolean or scan.retry_at is not null)
      and (scan.retry_at is null or scan.retry_at <= ${now}::timestamptz)
      and not exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq is null)
      and not groups.advised`.execute(tx)
  return rows.length > 0
}

/** The version of the groups up to which a workspace was scanned; 0 if it never was. */
export async function readScanned(tx: Tx, workspaceId: string, task: ScanTask): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select head as version from model_look where workspace_id = ${workspaceId} and task = ${task}`.execute(tx)
  return rows[0]?.version ?? 0
}

/** Records that a workspace was scanned to the end, with its groups at `version`. */
export async function storeScan(
  tx: Tx,
  workspaceId: string,
  task: ScanTask,
  { version, madeWith }: { version: number; madeWith: string },
): Promise<void> {
  await sql`
    insert into model_look (workspace_id, task, head, made_with) values (${workspaceId}, ${task}, ${version}, ${madeWith})
    on conflict (workspace_id, task) do update
    set head = excluded.head, made_with = excluded.made_with, failures = 0, retry_at = null`.execute(tx)
}

/** Has a workspace scanned from the beginning, as soon as the next sweep runs. */
export async function requestScan(tx: Tx, workspaceId: string, task: ScanTask, now: Date): Promise<void> {
  await sql`
    insert into model_look (workspace_id, task, head, made_with, retry_at)
    values (${workspaceId}, ${task}, 0, '', ${now}::timestamptz)
    on conflict (workspace_id, task) do update set head = 0, failures = 0, retry_at = excluded.retry_at`.execute(tx)
}

/** Forgets when a workspace was scanned, and that it is to be. */
export async function forgetScan(tx: Tx, workspaceId: string, task: ScanTask): Promise<void> {
  await sql`delete from model_look where workspace_id = ${workspaceId} and task = ${task}`.execute(tx)
}

/**
 * Postpones the next scan after a failure: by 10 minutes, then four times as long, up to a day. With `minutes`, by exactly
 * that, without counting a failure.
 */
export async function postponeScan(
  tx: Tx,
  workspaceId: string,
  task: ScanTask,
  { madeWith, now, minutes }: { madeWith: string; now: Date; minutes?: number },
): Promise<void> {
  const first = `${minutes ?? 10} minutes`
  await sql`
    insert into model_look as l (workspace_id, task, head, made_with, failures, retry_at)
    values (${workspaceId}, ${task}, 0, ${madeWith}, ${minutes === undefined ? 1 : 0},
      ${now}::timestamptz + ${first}::interval)
    on conflict (workspace_id, task) do update
    set made_with = excluded.made_with, failures = l.failures + excluded.failures,
      retry_at = ${now}::timestamptz + ${
        minutes === undefined
          ? sql`least(interval '1 day', interval '10 minutes' * power(4, least(l.failures, 10)))`
          : sql`${first}::interval`
      }`.execute(tx)
}

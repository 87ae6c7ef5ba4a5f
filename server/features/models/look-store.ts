import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { feedbackItemsView } from '../feedback/index.ts'
import { groupsView } from '../insights/index.ts'

/** What is looked for in a workspace beside insights to name. */
export type Task = 'joins' | 'splits'

/**
 * Whether a workspace is to be looked through: its groups have changed since the last time, or another model or prompt is
 * used, and nothing waits to be grouped.
 */
export async function isLookDue(
  tx: Tx,
  workspaceId: string,
  task: Task,
  madeWith: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${groupsView} groups
    left join model_look look on look.workspace_id = groups.workspace_id and look.task = ${task}
    where groups.workspace_id = ${workspaceId} and groups.version > 0
      and (look.head is distinct from groups.version or look.made_with <> ${madeWith} or look.failures > 0
        or look.retry_at is not null)
      and (look.retry_at is null or look.retry_at <= ${now}::timestamptz)
      and not exists (select from ${feedbackItemsView} item where workspace_id = ${workspaceId} and grouped_seq is null)
      and not groups.advised`.execute(tx)
  return rows.length > 0
}

/** The version of the groups up to which a workspace was looked through; 0 if it never was. */
export async function readLooked(tx: Tx, workspaceId: string, task: Task): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select head as version from model_look where workspace_id = ${workspaceId} and task = ${task}`.execute(tx)
  return rows[0]?.version ?? 0
}

/** Notes that a workspace was looked through to the end, as its groups were at `head`. */
export async function storeLook(
  tx: Tx,
  workspaceId: string,
  task: Task,
  { head, madeWith }: { head: number; madeWith: string },
): Promise<void> {
  await sql`
    insert into model_look (workspace_id, task, head, made_with) values (${workspaceId}, ${task}, ${head}, ${madeWith})
    on conflict (workspace_id, task) do update
    set head = excluded.head, made_with = excluded.made_with, failures = 0, retry_at = null`.execute(tx)
}

/**
 * Leaves a task alone for a while since the model was of no use: 10 minutes, then four times as long, up to a day. With
 * `minutes` for so long, which is no failure of the model.
 */
export async function restLook(
  tx: Tx,
  workspaceId: string,
  task: Task,
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

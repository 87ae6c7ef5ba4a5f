import type { KnownThemes, PlannedTheme } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { numberArray, textArray } from '../../array-literal.ts'
import { lastTheme } from '../../themes/store.ts'

/** Themes as the engine planned them, from the known ones whose highest id was `lastId`. */
export type FoundThemes = { planned: readonly PlannedTheme[]; lastId: number }

/** What is stored of themes, for the engine to continue. */
export async function readKnownThemes(tx: Tx, workspaceId: string): Promise<KnownThemes> {
  const { rows: themes } = await sql<KnownThemes['themes'][number]>`
    select theme.id, theme.name, theme.person_name as "personName",
      theme.by_person or theme.person_name is not null or theme.removed_at is not null as kept,
      coalesce(array_agg(placed.issue_number order by placed.issue_number) filter (where placed.issue_number is not null), '{}')
        as "insightIds"
    from theme
    left join insight_theme placed
      on placed.workspace_id = ${workspaceId} and placed.engine_theme = theme.id and not placed.by_person
    where theme.workspace_id = ${workspaceId}
    group by theme.id, theme.name, theme.person_name, theme.by_person, theme.removed_at
    order by theme.id`.execute(tx)
  const { rows: pins } = await sql<KnownThemes['pins'][number]>`
    select placed.issue_number as "issueId", coalesce(placed.person_theme, 0) as "themeId" from insight_theme placed
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = placed.issue_number
      and insight.ended_at is null
    where placed.workspace_id = ${workspaceId} and placed.by_person order by placed.issue_number`.execute(tx)
  return { themes, pins, lastId: await lastTheme(tx, workspaceId) }
}

/** Whether a plan changes anything about the known themes. */
export function isNews({ themes }: KnownThemes, planned: readonly PlannedTheme[]): boolean {
  const text = (id: number, name: string, insightIds: readonly number[]) =>
    `${id} ${name} ${insightIds.toSorted((a, b) => a - b).join()}`
  const before = themes.map((theme) => text(theme.id, theme.name, theme.insightIds)).sort()
  const after = planned.map((theme) => text(theme.id, theme.name, theme.insightIds)).sort()
  return before.join('\n') !== after.join('\n')
}

/**
 * Stores what the engine planned. What people decided since it read the themes stays: it writes nothing of theirs, and ends no theme that
 * they touched. The caller holds the lock on the revision, under which people change themes.
 */
export async function storeThemes(tx: Tx, workspaceId: string, { planned, lastId }: FoundThemes): Promise<void> {
  const last = await lastTheme(tx, workspaceId)
  /** A person may have made a theme meanwhile. */
  const idOf = (id: number) => (id > lastId ? id - lastId + last : id)
  const ids = planned.map((theme) => idOf(theme.id))
  await sql`
    insert into theme (workspace_id, id, name)
    select ${workspaceId}::uuid, made.id, made.name
    from unnest(${numberArray(ids)}::int[], ${textArray(planned.map((theme) => theme.name))}::text[]) as made (id, name)
    on conflict (workspace_id, id) do update set name = excluded.name where theme.name <> excluded.name`.execute(tx)
  await sql`
    update engine_state set last_theme = greatest(last_theme, ${Math.max(0, ...ids)}::int)
    where workspace_id = ${workspaceId}`.execute(tx)
  const placed = planned.flatMap((theme) => theme.insightIds.map((issue) => ({ issue, theme: idOf(theme.id) })))
  const issues = numberArray(placed.map((one) => one.issue))
  await sql`
    insert into insight_theme (workspace_id, issue_number, engine_theme)
    select ${workspaceId}::uuid, made.issue, made.theme
    from unnest(${issues}::int[], ${numberArray(placed.map((one) => one.theme))}::int[]) as made (issue, theme)
    join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = made.issue
    on conflict (workspace_id, issue_number) do update set engine_theme = excluded.engine_theme
      where insight_theme.engine_theme is distinct from excluded.engine_theme`.execute(tx)
  await sql`
    delete from insight_theme
    where workspace_id = ${workspaceId} and not by_person and issue_number <> all(${issues}::int[])`.execute(tx)
  await sql`
    delete from theme
    where workspace_id = ${workspaceId} and id <> all(${numberArray(ids)}::int[])
      and not by_person and person_name is null and removed_at is null
      and not exists (
        select from insight_theme placed
        join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = placed.issue_number
          and insight.ended_at is null
        where placed.workspace_id = ${workspaceId} and placed.person_theme = theme.id)`.execute(tx)
}

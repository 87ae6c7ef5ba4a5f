import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** A theme that nobody removed, with its shown insights. */
export type ThemeRow = {
  id: number
  name: string
  byPerson: boolean
  issueNumbers: number[]
  mentionCount: number
}

/** Where an insight is: `themeId` is null for in no theme. */
export type ThemePlace = { themeId: number | null; byPerson: boolean }

const shownName = sql`coalesce(theme.person_name, theme.name)`
const themeOfInsight = sql`case when placed.by_person then placed.person_theme else placed.engine_theme end`

/** The themes, most mentions first: those of two insights or more, and those that a person made or named. */
export async function readThemes(tx: Tx, workspaceId: string): Promise<ThemeRow[]> {
  const { rows } = await sql<ThemeRow>`
    select theme.id, ${shownName} as name, theme.by_person or theme.person_name is not null as "byPerson",
      coalesce(array_agg(shown.issue_number order by shown.mention_count desc, shown.issue_number)
        filter (where shown.issue_number is not null), '{}') as "issueNumbers",
      coalesce(sum(shown.mention_count), 0)::int as "mentionCount"
    from theme
    left join (
      select insight.issue_number, insight.mention_count, ${themeOfInsight} as theme_id, placed.by_person
      from insight_theme placed
      join insight on insight.workspace_id = ${workspaceId} and insight.issue_number = placed.issue_number
        and insight.deleted_at is null and insight.ended_at is null and not insight.hidden
      where placed.workspace_id = ${workspaceId}
    ) shown on shown.theme_id = theme.id
    where theme.workspace_id = ${workspaceId} and theme.removed_at is null
    group by theme.id, theme.name, theme.person_name, theme.by_person
    having count(shown.issue_number) > 1 or theme.by_person or theme.person_name is not null or bool_or(shown.by_person)
    order by "mentionCount" desc, theme.id`.execute(tx)
  return rows
}

/** The highest id of a theme so far. */
export async function lastTheme(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select greatest(
      (select coalesce(max(id), 0) from theme where workspace_id = ${workspaceId}),
      (select coalesce(max(last_theme), 0) from engine_state where workspace_id = ${workspaceId})) as last`.execute(tx)
  return rows[0]?.last ?? 0
}

/** Whether another theme that is shown has this name. */
export async function isNameTaken(tx: Tx, workspaceId: string, name: string, except: number | null): Promise<boolean> {
  const { rows } = await sql`
    select from theme
    where workspace_id = ${workspaceId} and lower(${shownName}) = lower(${name}) and removed_at is null
      and id is distinct from ${except}::int`.execute(tx)
  return rows.length > 0
}

/** Adds a theme of a person and returns its id. Such a theme is never deleted, so that its id needs no other record. */
export async function addTheme(tx: Tx, workspaceId: string, name: string): Promise<number> {
  const id = (await lastTheme(tx, workspaceId)) + 1
  await sql`
    insert into theme (workspace_id, id, name, person_name, by_person)
    values (${workspaceId}, ${id}, '', ${name}, true)`.execute(tx)
  return id
}

/** What a person named a theme, if anything, and the name that the engine gave it; undefined when there is no such theme. */
export async function readThemeName(
  tx: Tx,
  workspaceId: string,
  id: number,
): Promise<{ personName: string | null; name: string; removed: boolean } | undefined> {
  const { rows } = await sql<{ personName: string | null; name: string; removed: boolean }>`
    select person_name as "personName", name, removed_at is not null as removed from theme
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0]
}

/** Names a theme; null for the name that the engine gave it. */
export async function nameTheme(tx: Tx, workspaceId: string, id: number, name: string | null): Promise<void> {
  await sql`
    update theme set person_name = ${name} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Removes a theme, or with null restores one. False when there is no such theme. */
export async function markRemoved(tx: Tx, workspaceId: string, id: number, removedAt: Date | null): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update theme set removed_at = ${removedAt}::timestamptz
    where workspace_id = ${workspaceId} and id = ${id} and (removed_at is null) = ${removedAt !== null}`.execute(tx)
  return numAffectedRows === 1n
}

/** Where a shown insight is; undefined when there is no such insight. */
export async function readPlace(tx: Tx, workspaceId: string, issueNumber: number): Promise<ThemePlace | undefined> {
  const { rows } = await sql<ThemePlace>`
    select ${themeOfInsight} as "themeId", coalesce(placed.by_person, false) as "byPerson"
    from insight
    left join insight_theme placed on placed.workspace_id = ${workspaceId} and placed.issue_number = insight.issue_number
    where insight.workspace_id = ${workspaceId} and insight.issue_number = ${issueNumber}
      and insight.deleted_at is null and insight.ended_at is null and not insight.hidden`.execute(tx)
  return rows[0]
}

/** Stores where a person put an insight, or with `byPerson` false that the engine decides. */
export async function placeInsight(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  { themeId, byPerson }: ThemePlace,
): Promise<void> {
  await sql`
    insert into insight_theme (workspace_id, issue_number, by_person, person_theme)
    values (${workspaceId}, ${issueNumber}, ${byPerson}, ${byPerson ? themeId : null}::int)
    on conflict (workspace_id, issue_number) do update
    set by_person = excluded.by_person, person_theme = excluded.person_theme`.execute(tx)
}

import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The time zone that was chosen for a workspace; null: none was. */
export async function readTimeZone(tx: Tx, workspaceId: string): Promise<string | null> {
  const { rows } = await sql<{ zone: string | null }>`
    select time_zone as zone from workspace where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0]?.zone ?? null
}

/** Whose days the workspace counts by. */
export async function daysOf(tx: Tx, workspaceId: string): Promise<string> {
  return (await readTimeZone(tx, workspaceId)) ?? 'UTC'
}

/** Whether the database has a time zone of this name: browsers may know others. */
export async function isKnownZone(tx: Tx, zone: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where name = ${zone}) as known`.execute(tx)
  return rows[0]?.known ?? false
}

/** Sets the time zone of a workspace; `unlessChosen`: only where none was chosen. */
export async function writeTimeZone(tx: Tx, workspaceId: string, zone: string, unlessChosen: boolean): Promise<void> {
  await sql`
    update workspace set time_zone = ${zone}
    where workspace_id = ${workspaceId} and (time_zone is null or not ${unlessChosen}::boolean)`.execute(tx)
}

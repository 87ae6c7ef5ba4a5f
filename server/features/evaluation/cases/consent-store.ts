import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** Who allowed that corrections are used as cases, and when. */
type Consent = { givenBy: string; givenAt: Date }

/** Null: nobody allows it. */
export async function readConsent(tx: Tx, workspaceId: string): Promise<Consent | null> {
  const { rows } = await sql<Consent>`
    select given_by as "givenBy", given_at as "givenAt" from case_consent where workspace_id = ${workspaceId}`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Keeps the first consent where there is one. */
export async function writeConsent(tx: Tx, workspaceId: string, { givenBy, givenAt }: Consent): Promise<void> {
  await sql`
    insert into case_consent (workspace_id, given_by, given_at) values (${workspaceId}, ${givenBy}, ${givenAt})
    on conflict do nothing`.execute(tx)
}

/** Withdraws the consent of a workspace to cases; nothing happens where there is none. */
export async function deleteConsent(tx: Tx, workspaceId: string): Promise<void> {
  await sql`delete from case_consent where workspace_id = ${workspaceId}`.execute(tx)
}

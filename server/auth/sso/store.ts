import type { SsoRole } from '@groundswell/contract/accounts/single-sign-on.ts'
import { type RawBuilder, sql } from 'kysely'
import { members } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** The OpenID provider of a workspace. */
export type ProviderRow = {
  workspaceId: string
  issuer: string
  clientId: string
  /** Null: it comes from a backup without secrets. */
  sealedSecret: string | null
  /** Lower-case domains of e-mail addresses. Empty: nobody new may join. */
  domains: string[]
  defaultRole: SsoRole
  enabled: boolean
  required: boolean
  /** A sign-in that was started before is not finished. */
  changedAt: Date
  /** When a sign-in last succeeded since; null: none did. */
  testedAt: Date | null
}

/** The provider of a workspace; null when none is set up. The transaction must be of that workspace. */
export async function findProvider(tx: AccountTx, workspaceId: string): Promise<ProviderRow | null> {
  const { rows } = await sql<ProviderRow>`
    select workspace_id as "workspaceId", issuer, client_id as "clientId", sealed_secret as "sealedSecret", domains,
      default_role as "defaultRole", enabled, required, changed_at as "changedAt", tested_at as "testedAt"
    from sso_provider where workspace_id = ${workspaceId}`.execute(tx)
  return rows[0] ?? null
}

/** Stores the provider of a workspace. The transaction must be of that workspace. */
export async function putProvider(tx: AccountTx, row: ProviderRow): Promise<void> {
  await sql`
    insert into sso_provider (workspace_id, issuer, client_id, sealed_secret, domains, default_role, enabled, required, changed_at, tested_at)
    values (${row.workspaceId}, ${row.issuer}, ${row.clientId}, ${row.sealedSecret}, ${row.domains}::text[], ${row.defaultRole},
      ${row.enabled}, ${row.required}, ${row.changedAt}, ${row.testedAt})
    on conflict (workspace_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_secret = excluded.sealed_secret, domains = excluded.domains, default_role = excluded.default_role,
      enabled = excluded.enabled, required = excluded.required, changed_at = excluded.changed_at, tested_at = excluded.tested_at`.execute(
    tx,
  )
}

/** Records that a sign-in at the provider succeeded. False when it was changed since `changedAt`, or removed. The transaction must be of that workspace. */
export async function markTested(tx: AccountTx, workspaceId: string, changedAt: Date, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update sso_provider set tested_at = ${at} where workspace_id = ${workspaceId} and changed_at = ${changedAt} returning 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** Removes the provider of a workspace. False when there is none. The transaction must be of that workspace. */
export async function deleteProvider(tx: AccountTx, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`delete from sso_provider where workspace_id = ${workspaceId} returning 1`.execute(tx)
  return rows.length > 0
}

/** Whether a workspace requires its single sign-on from an account, as an SQL expression for a statement of any transaction. */
export function requiresSso(workspaceId: RawBuilder<unknown>, accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`requires_sso(${workspaceId}, ${accountId})`
}

/** The same, read. The transaction may be of any workspace, or of none. */
export async function isSsoRequired(tx: AccountTx, workspaceId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ required: boolean }>`
    select ${requiresSso(sql`${workspaceId}::uuid`, sql`${accountId}::uuid`)} as required`.execute(tx)
  return rows[0]?.required ?? false
}

/**
 * Whether an owner of the workspace, apart from `without`, has a password or another identity than one of single sign-on. The transaction must
 * be of that workspace.
 */
export async function hasIndependentOwner(
  tx: AccountTx,
  workspaceId: string,
  without: string | null = null,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${members} m join account a on a.id = m.account_id
      where m.workspace_id = ${workspaceId} and m.role = 'owner' and m.account_id is distinct from ${without}::uuid
        and (a.password_hash is not null or exists (
        select from identity i where i.account_id = a.id and i.provider not like 'sso:%'))) as found`.execute(tx)
  return rows[0]?.found ?? false
}

/** Serializes sign-ins of one person at an issuer until the transaction ends, so that two at once make one account. */
export async function lockPerson(tx: AccountTx, provider: string, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${subject}`}, 0))`.execute(tx)
}

/** The sealed client secret of a workspace's provider, locked until the transaction ends. The transaction must be of that workspace. */
export async function lockSecret(tx: AccountTx, workspaceId: string): Promise<string | null> {
  const { rows } = await sql<{ sealed: string }>`
    select sealed_secret as sealed from sso_provider where workspace_id = ${workspaceId} for update`.execute(tx)
  return rows[0]?.sealed ?? null
}

/** Replaces a sealed client secret, which stays the same secret. */
export async function putSecret(tx: AccountTx, workspaceId: string, sealed: string): Promise<void> {
  await sql`update sso_provider set sealed_secret = ${sealed} where workspace_id = ${workspaceId}`.execute(tx)
}

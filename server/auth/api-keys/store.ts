import type { KeyScope } from '@groundswell/contract/route.ts'
import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import { memberRole } from '../../features/workspaces/index.ts'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'

/** A stored key. `madeBy`: the e-mail address of the member who made it. */
export type KeyRow = {
  id: string
  accountId: string
  name: string
  scopes: KeyScope[]
  tokenStart: string
  madeBy: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** A key that may make calls, and the person whose calls they are. */
export type UsableKey = KeyRow & { workspaceId: string; accountName: string; role: Role }

const columns = sql`
  k.id, k.account_id as "accountId", k.name, k.scopes, k.token_start as "tokenStart", a.email as "madeBy",
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt"`

/** The keys of a workspace, the newest first. */
export async function keysOfWorkspace(tx: AccountTx, workspaceId: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${columns} from api_key k join account a on a.id = k.account_id
    where k.workspace_id = ${workspaceId} order by k.created_at desc, k.id`.execute(tx)
  return rows
}

/** Stores a key and returns its id; null when the workspace has `max` already. The transaction must hold the lock of the workspace's members. */
export async function insertKey(
  tx: AccountTx,
  workspaceId: string,
  key: Pick<KeyRow, 'accountId' | 'name' | 'scopes' | 'tokenStart' | 'createdAt' | 'expiresAt'> & { tokenHash: Buffer },
  max: number,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into api_key (workspace_id, account_id, name, scopes, token_hash, token_start, created_at, expires_at)
    select ${workspaceId}, ${key.accountId}, ${key.name}, ${key.scopes}::text[], ${key.tokenHash}, ${key.tokenStart},
      ${key.createdAt}::timestamptz, ${key.expiresAt}::timestamptz
    where (select count(*) from api_key where workspace_id = ${workspaceId}) < ${max}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Deletes a key and returns what it was; null when there is none. */
export async function deleteKey(
  tx: AccountTx,
  workspaceId: string,
  id: string,
): Promise<Pick<KeyRow, 'accountId' | 'name' | 'tokenStart'> | null> {
  const { rows } = await sql<Pick<KeyRow, 'accountId' | 'name' | 'tokenStart'>>`
    delete from api_key where workspace_id = ${workspaceId} and id = ${id}
    returning account_id as "accountId", name, token_start as "tokenStart"`.execute(tx)
  return rows[0] ?? null
}

/**
 * The key with this hash, unless it expired or its account is banned; the transaction is of its workspace from then on. Null: no such key.
 */
export async function enterByKey(tx: AccountTx, tokenHash: Buffer, at: Date): Promise<UsableKey | null> {
  await sql`select set_config('groundswell.api_key', ${tokenHash.toString('hex')}, true)`.execute(tx)
  const { rows } = await sql<UsableKey>`
    select ${columns}, k.workspace_id as "workspaceId", a.name as "accountName",
      ${memberRole(sql`k.workspace_id`, sql`k.account_id`)} as role
    from api_key k join account a on a.id = k.account_id
    where k.token_hash = ${tokenHash} and (k.expires_at is null or k.expires_at > ${at})
      and (a.banned_until is null or a.banned_until <= ${at})`.execute(tx)
  const found = rows[0] ?? null
  if (found) await switchWorkspace(tx, found.workspaceId)
  return found
}

/** Notes when a key was used. */
export async function touchKey(tx: AccountTx, workspaceId: string, id: string, at: Date): Promise<void> {
  await sql`update api_key set last_used_at = ${at} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Deletes all keys that an account made, in every workspace. The transaction may be of another account, or of none. */
export async function deleteKeysOfAccount(tx: AccountTx, accountId: string): Promise<void> {
  const { rows } = await sql<{ before: string | null }>`
    select current_setting('groundswell.account', true) as before`.execute(tx)
  await sql`select set_config('groundswell.account', ${accountId}, true)`.execute(tx)
  await sql`delete from api_key where account_id = ${accountId}`.execute(tx)
  await sql`select set_config('groundswell.account', ${rows[0]?.before ?? ''}, true)`.execute(tx)
}

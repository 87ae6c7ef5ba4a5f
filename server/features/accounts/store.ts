import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** An account as sign-in needs it. */
export type AccountRow = {
  id: string
  email: string
  name: string
  passwordHash: string
  isAdmin: boolean
  createdAt: Date
}

/** A live sign-in with the account it belongs to. */
export type SignInRow = {
  accountId: string
  workspaceId: string
  name: string
  email: string
  isAdmin: boolean
  lastUsedAt: Date
}

/** The channel on which ended sign-ins are told to every process: `token:<hex>` or `account:<id>`. */
export const SIGN_IN_CHANNEL = 'sign_in'

const FIRST_ADMIN_LOCK = 4_190_772_301

const columns = sql`id, email, name, password_hash as "passwordHash", is_admin as "isAdmin", created_at as "createdAt"`

/** The account with this e-mail address in lower case; null when there is none. */
export async function findAccount(tx: Tx, email: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`select ${columns} from account where email = ${email}`.execute(tx)
  return rows[0] ?? null
}

/** Every account, oldest first. */
export async function accountRows(tx: Tx): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`select ${columns} from account order by created_at, id`.execute(tx)
  return rows
}

/** Makes an account and returns its id; null when the e-mail address is taken. */
export async function insertAccount(
  tx: Tx,
  account: { email: string; name: string; passwordHash: string; isAdmin: boolean },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into account (email, name, password_hash, is_admin)
    values (${account.email}, ${account.name}, ${account.passwordHash}, ${account.isAdmin})
    on conflict (email) do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Makes a workspace with its owner. The transaction must be of that workspace. */
export async function insertWorkspace(tx: Tx, workspaceId: string, name: string, ownerId: string): Promise<void> {
  await sql`insert into workspace (workspace_id, name) values (${workspaceId}, ${name})`.execute(tx)
  await sql`
    insert into member (workspace_id, account_id, role) values (${workspaceId}, ${ownerId}, 'owner')`.execute(tx)
}

/** The workspace that an account was in first. The transaction must be of that account. */
export async function firstWorkspace(tx: Tx, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from member where account_id = ${accountId}
    order by created_at, workspace_id limit 1`.execute(tx)
  return rows[0]?.workspaceId ?? null
}

/** Keeps a new sign-in by the hash of its token. */
export async function insertSignIn(
  tx: Tx,
  signIn: { tokenHash: Buffer; accountId: string; workspaceId: string; at: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into session (token_hash, account_id, workspace_id, created_at, last_used_at, expires_at)
    values (${signIn.tokenHash}, ${signIn.accountId}, ${signIn.workspaceId}, ${signIn.at}, ${signIn.at}, ${signIn.expiresAt})`.execute(
    tx,
  )
}

/** The sign-in of a token that has not expired at that time; null otherwise. */
export async function findSignIn(tx: Tx, tokenHash: Buffer, at: Date): Promise<SignInRow | null> {
  const { rows } = await sql<SignInRow>`
    select account.id as "accountId", session.workspace_id as "workspaceId", account.name, account.email,
      account.is_admin as "isAdmin", session.last_used_at as "lastUsedAt"
    from session join account on account.id = session.account_id
    where session.token_hash = ${tokenHash} and session.expires_at > ${at}`.execute(tx)
  return rows[0] ?? null
}

/** Says that a sign-in was used, which keeps it alive. */
export async function touchSignIn(tx: Tx, tokenHash: Buffer, at: Date, expiresAt: Date): Promise<void> {
  await sql`
    update session set last_used_at = ${at}, expires_at = ${expiresAt} where token_hash = ${tokenHash}`.execute(tx)
}

/** Ends a sign-in and tells every process when the transaction is committed. */
export async function deleteSignIn(tx: Tx, tokenHash: Buffer): Promise<void> {
  await sql`delete from session where token_hash = ${tokenHash}`.execute(tx)
  await sql`select pg_notify(${SIGN_IN_CHANNEL}, ${`token:${tokenHash.toString('hex')}`})`.execute(tx)
}

/** Removes an account's sign-ins that are past their time. */
export async function deleteExpiredSignIns(tx: Tx, accountId: string, at: Date): Promise<void> {
  await sql`delete from session where account_id = ${accountId} and expires_at <= ${at}`.execute(tx)
}

/** Makes an account an admin or no longer one, for every process at once. False when there is no such account. */
export async function setAdmin(tx: Tx, email: string, isAdmin: boolean): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update account set is_admin = ${isAdmin} where email = ${email} returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) return false
  await sql`select pg_notify(${SIGN_IN_CHANNEL}, ${`account:${id}`})`.execute(tx)
  return true
}

/** True while no account is an admin. */
export async function hasNoAdmin(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ none: boolean }>`
    select not exists (select 1 from account where is_admin) as none`.execute(tx)
  return rows[0]?.none ?? false
}

/** The same, when the answer decides who becomes the first: others that ask wait until the transaction ends. */
export async function hasNoAdminForUpdate(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`.execute(tx)
  return hasNoAdmin(tx)
}

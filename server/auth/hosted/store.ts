import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import { enteredWorkspace, memberRole } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { type AccountRow, findAccount, findAccountById } from '../account/store.ts'

/** The account here of a person of a hosted project. */
export type HostedAccount = {
  accountId: string
  /** Where it works, and as what; null when it is in no workspace. */
  workspaceId: string | null
  role: Role | null
  name: string
  email: string
  isAdmin: boolean
  bannedUntil: Date | null
  /** Null: a linked account of our own server. */
  issuer: string | null
  /** The last address that the hosted project issued a token for. */
  claimedEmail: string | null
  /** The session in which the account was created. */
  firstSessionId: string | null
  /** When the token was issued that the account's name and address come from, in unix seconds. */
  claimedAt: number
}

/** The identity of a person at a hosted project. */
export type Subject = { issuer: string; subject: string }

/** The account of a person of a hosted project; null for an unknown person. */
export async function findHosted(tx: AccountTx, { issuer, subject }: Subject): Promise<HostedAccount | null> {
  const workplace = enteredWorkspace(sql`a.id`)
  const { rows } = await sql<HostedAccount>`
    select a.id as "accountId", ${workplace} as "workspaceId", ${memberRole(workplace, sql`a.id`)} as role, a.name, a.email, a.is_admin as "isAdmin",
      a.banned_until as "bannedUntil", a.issuer, i.email as "claimedEmail", i.data ->> 'first_session_id' as "firstSessionId",
      coalesce((i.data ->> 'told_at')::float8, 0) as "claimedAt"
    from identity i join account a on a.id = i.account_id
    where i.provider = ${issuer} and i.subject = ${subject}`.execute(tx)
  return rows[0] ?? null
}

/** Serializes the creation of this person's account until the transaction ends. */
export async function lockSubject(tx: AccountTx, { issuer, subject }: Subject): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(tx)
}

/** Creates the account of a person of a hosted project and returns its id. Its e-mail address need not be unique. */
export async function insertHostedAccount(
  tx: AccountTx,
  account: { issuer: string; email: string; name: string; isAdmin: boolean; confirmed: boolean },
  at: Date,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into account (issuer, email, name, password_hash, is_admin, email_confirmed_at, created_at, updated_at)
    values (${account.issuer}, ${account.email}, ${account.name}, null, ${account.isAdmin},
      ${account.confirmed ? at : null}, ${at}, ${at})
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the new account has no id')
  return id
}

/** Stores which account a person of a hosted project has. */
export async function insertHostedIdentity(
  tx: AccountTx,
  row: Subject & { accountId: string; email: string; firstSessionId: string | null; claimedAt: number; at: Date },
): Promise<void> {
  const data = JSON.stringify({ first_session_id: row.firstSessionId, told_at: row.claimedAt })
  await sql`
    insert into identity (account_id, provider, subject, email, data, last_sign_in_at, created_at, updated_at)
    values (${row.accountId}, ${row.issuer}, ${row.subject}, ${row.email}, ${data}::jsonb, ${row.at}, ${row.at}, ${row.at})`.execute(
    tx,
  )
}

/** Stores the data of a newer token. False when an even newer one was seen in the meantime. */
export async function updateHostedIdentity(
  tx: AccountTx,
  { issuer, subject }: Subject,
  claimed: { email: string; claimedAt: number; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update identity set email = ${claimed.email}, updated_at = ${claimed.at},
      data = data || jsonb_build_object('told_at', ${claimed.claimedAt}::float8)
    where provider = ${issuer} and subject = ${subject} and coalesce((data ->> 'told_at')::float8, 0) <= ${claimed.claimedAt}
    returning 1`.execute(tx)
  return rows.length > 0
}

/** True when an account is already linked to a person of that hosted project. */
export async function isOfProject(tx: AccountTx, accountId: string, issuer: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from identity where account_id = ${accountId} and provider = ${issuer}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/**
 * The accounts that match an e-mail address where a hosted project signs people in: those of its people, or else the account
 * of our own server that is not linked yet.
 */
export async function accountsMatching(tx: AccountTx, issuer: string, email: string): Promise<AccountRow[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from identity i join account a on a.id = i.account_id
    where i.provider = ${issuer} and i.email = ${email} order by a.created_at, a.id`.execute(tx)
  const found = await Promise.all(rows.map(({ id }) => findAccountById(tx, id)))
  const own = rows.length === 0 ? await findAccount(tx, email) : null
  return [...found, own].filter((account) => account !== null)
}

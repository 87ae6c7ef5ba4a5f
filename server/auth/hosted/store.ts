import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { type AccountRow, findAccount, findAccountById } from '../account/store.ts'

/** An account that somebody of a hosted project has here. */
export type HostedAccount = {
  accountId: string
  /** The one it was in first. */
  workspaceId: string
  name: string
  email: string
  isAdmin: boolean
  bannedUntil: Date | null
  /** Null: an account of our own server that was joined. */
  issuer: string | null
  /** The address that the hosted project last gave. */
  claimedEmail: string | null
  /** The sign-in in which the account was made. */
  firstSessionId: string | null
  /** When the token was issued whose name and address the account has, in unix seconds. */
  claimedAt: number
}

/** Who somebody is at a hosted project. */
export type Subject = { issuer: string; subject: string }

/** The account of a person of a hosted project; null for one who was never seen. */
export async function findHosted(tx: Tx, { issuer, subject }: Subject): Promise<HostedAccount | null> {
  const { rows } = await sql<HostedAccount>`
    select a.id as "accountId", home_workspace(a.id) as "workspaceId", a.name, a.email, a.is_admin as "isAdmin",
      a.banned_until as "bannedUntil", a.issuer, i.email as "claimedEmail", i.data ->> 'first_session_id' as "firstSessionId",
      coalesce((i.data ->> 'told_at')::float8, 0) as "claimedAt"
    from identity i join account a on a.id = i.account_id
    where i.provider = ${issuer} and i.subject = ${subject}`.execute(tx)
  return rows[0] ?? null
}

/** Makes all others that would make this person's account wait until the transaction ends. */
export async function lockSubject(tx: Tx, { issuer, subject }: Subject): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(tx)
}

/** Makes the account of a person of a hosted project and returns its id. It shares its e-mail address with no other by right. */
export async function insertHostedAccount(
  tx: Tx,
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

/** Keeps which account a person of a hosted project has. */
export async function insertHostedIdentity(
  tx: Tx,
  row: Subject & { accountId: string; email: string; firstSessionId: string | null; claimedAt: number; at: Date },
): Promise<void> {
  const data = JSON.stringify({ first_session_id: row.firstSessionId, told_at: row.claimedAt })
  await sql`
    insert into identity (account_id, provider, subject, email, data, last_sign_in_at, created_at, updated_at)
    values (${row.accountId}, ${row.issuer}, ${row.subject}, ${row.email}, ${data}::jsonb, ${row.at}, ${row.at}, ${row.at})`.execute(
    tx,
  )
}

/** Keeps what a newer token says of a person. False when a token that is newer still was seen meanwhile. */
export async function updateHostedIdentity(
  tx: Tx,
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

/** True when an account is somebody's of that hosted project already. */
export async function isOfProject(tx: Tx, accountId: string, issuer: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from identity where account_id = ${accountId} and provider = ${issuer}) as taken`.execute(tx)
  return rows[0]?.taken ?? false
}

/**
 * The accounts that an operator means by an e-mail address where a hosted project signs people in: those of its people, or else
 * the one of our own server that nobody has joined yet.
 */
export async function accountsMatching(tx: Tx, issuer: string, email: string): Promise<AccountRow[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from identity i join account a on a.id = i.account_id
    where i.provider = ${issuer} and i.email = ${email} order by a.created_at, a.id`.execute(tx)
  const found = await Promise.all(rows.map(({ id }) => findAccountById(tx, id)))
  const own = rows.length === 0 ? await findAccount(tx, email) : null
  return [...found, own].filter((account) => account !== null)
}

import { type RawBuilder, sql } from 'kysely'
import { FIRST_ADMIN_LOCK } from '../../platform/db/first-admin-lock.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'

/** A stored account. */
export type AccountRow = {
  id: string
  email: string
  name: string
  /** Null: signs in by an identity provider only. */
  passwordHash: string | null
  isAdmin: boolean
  emailConfirmedAt: Date | null
  /** When the owner of the mailbox proved the address, or the operator vouched for it. */
  emailProvenAt: Date | null
  /** Another sign-up used this address before it was proven. */
  contested: boolean
  newEmail: string | null
  userMetadata: Record<string, unknown>
  /** Data that an operator's program stores with the account. The providers are not part of it. */
  appMetadata: Record<string, unknown>
  bannedUntil: Date | null
  lastSignInAt: Date | null
  confirmationSentAt: Date | null
  recoverySentAt: Date | null
  emailChangeSentAt: Date | null
  invitedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Who a person is at an identity provider. */
export type IdentityRow = {
  id: string
  accountId: string
  provider: string
  subject: string
  email: string | null
  data: Record<string, unknown>
  lastSignInAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The fields of an account that can change. Omitted fields stay as they are. */
export type AccountChange = Partial<
  Pick<
    AccountRow,
    | 'email'
    | 'name'
    | 'passwordHash'
    | 'isAdmin'
    | 'emailConfirmedAt'
    | 'emailProvenAt'
    | 'contested'
    | 'newEmail'
    | 'userMetadata'
    | 'appMetadata'
    | 'bannedUntil'
    | 'confirmationSentAt'
    | 'recoverySentAt'
    | 'emailChangeSentAt'
    | 'invitedAt'
  >
>

const columns = sql`
  id, email, name, password_hash as "passwordHash", is_admin as "isAdmin", email_confirmed_at as "emailConfirmedAt",
  email_proven_at as "emailProvenAt", contested, new_email as "newEmail", user_metadata as "userMetadata",
  app_metadata as "appMetadata", banned_until as "bannedUntil",
  last_sign_in_at as "lastSignInAt", confirmation_sent_at as "confirmationSentAt", recovery_sent_at as "recoverySentAt",
  email_change_sent_at as "emailChangeSentAt", invited_at as "invitedAt", created_at as "createdAt", updated_at as "updatedAt"`

/** The account of our own server with this e-mail address in lower case; null when there is none. */
export async function findAccount(tx: AccountTx, email: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from account where email = ${email} and issuer is null`.execute(tx)
  return rows[0] ?? null
}

/** The account with this id; null when there is none. */
export async function findAccountById(tx: AccountTx, id: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`select ${columns} from account where id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** The same, locked until the transaction ends. */
export async function lockAccount(tx: AccountTx, id: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`select ${columns} from account where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/** The e-mail address of an account as an SQL expression, for a statement of another feature. */
export function emailOf(id: string): RawBuilder<string | null> {
  return sql<string | null>`(select email from account where id = ${id})`
}

/** Who the accounts are, to be joined: `join ${people} p on p.id = …`. */
export const people = sql`(select id, name, email from account)`

/** Every account, oldest first. */
export async function accountRows(tx: AccountTx): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`select ${columns} from account order by created_at, id`.execute(tx)
  return rows
}

/** A page of the accounts, newest first, and the total count. */
export async function accountPage(
  tx: AccountTx,
  offset: number,
  limit: number,
): Promise<{ rows: AccountRow[]; total: number }> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from account order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(tx)
  const counted = await sql<{ total: number }>`select count(*) as total from account`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Creates an account and returns its id; null when the e-mail address is taken. */
export async function insertAccount(
  tx: AccountTx,
  account: Pick<
    AccountRow,
    | 'email'
    | 'name'
    | 'passwordHash'
    | 'isAdmin'
    | 'emailConfirmedAt'
    | 'emailProvenAt'
    | 'userMetadata'
    | 'appMetadata'
    | 'invitedAt'
  >,
  at: Date,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into account (email, name, password_hash, is_admin, email_confirmed_at, email_proven_at, user_metadata, app_metadata,
      invited_at, created_at, updated_at)
    values (${account.email}, ${account.name}, ${account.passwordHash}, ${account.isAdmin}, ${account.emailConfirmedAt},
      ${account.emailProvenAt}, ${JSON.stringify(account.userMetadata)}::jsonb, ${JSON.stringify(account.appMetadata)}::jsonb,
      ${account.invitedAt}, ${at}, ${at})
    on conflict (email) where issuer is null do nothing returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/**
 * Changes an account. Every process reads it again for access tokens issued before. Throws 23505 for an e-mail address that
 * is taken.
 */
export async function changeAccount(tx: AccountTx, id: string, change: AccountChange, at: Date): Promise<void> {
  const sets = Object.entries(change).map(([name, value]) => {
    const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const given =
      name === 'userMetadata' || name === 'appMetadata' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`
    return sql`${sql.ref(column)} = ${given}`
  })
  await sql`update account set ${sql.join([...sets, sql`updated_at = ${at}`])} where id = ${id}`.execute(tx)
  if (!Object.keys(change).every((name) => name.endsWith('SentAt'))) await announceChangedAccount(tx, id, at)
}

/** Records the last sign-in of the account. */
export async function markSignedIn(tx: AccountTx, id: string, at: Date): Promise<void> {
  await sql`update account set last_sign_in_at = ${at} where id = ${id}`.execute(tx)
}

/** Deletes an account with its sessions, factors and identities. Its access tokens become invalid in every process. */
export async function deleteAccountRow(tx: AccountTx, id: string, at: Date): Promise<void> {
  await announceChangedAccount(tx, id, at)
  await sql`delete from account where id = ${id}`.execute(tx)
}

/** The identities of an account at identity providers, oldest first. */
export async function identitiesOf(tx: AccountTx, accountId: string): Promise<IdentityRow[]> {
  const { rows } = await sql<IdentityRow>`
    select id, account_id as "accountId", provider, subject, email, data, last_sign_in_at as "lastSignInAt",
      created_at as "createdAt", updated_at as "updatedAt"
    from identity where account_id = ${accountId} order by created_at, id`.execute(tx)
  return rows
}

/** An account's factors in the protocol's format, without their secrets. */
export async function factorSummaries(tx: AccountTx, accountId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select id, friendly_name, factor_type, status, created_at, updated_at, last_challenged_at
    from factor where account_id = ${accountId} order by created_at, id`.execute(tx)
  return rows
}

/** True until the installation has its first admin, and never again: a trigger records that there was one. */
export async function hasNoAdmin(tx: AccountTx): Promise<boolean> {
  const { rows } = await sql<{ none: boolean }>`
    select not exists (select from first_admin) as none`.execute(tx)
  return rows[0]?.none ?? false
}

/** The same, holding a lock until the transaction ends, for a caller that may create the first admin. */
export async function hasNoAdminForUpdate(tx: AccountTx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`.execute(tx)
  return hasNoAdmin(tx)
}

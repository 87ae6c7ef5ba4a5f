import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import { members } from '../../features/workspaces/index.ts'
import type { AccountTx, Tx } from '../../platform/db/tenant.ts'
import { people } from '../account/store.ts'

/** A person in a workspace. */
export type PersonRow = { accountId: string; name: string; email: string; role: Role; joinedAt: Date }

/** What the app may know of an account: one that is in the workspace of its transaction. */
type KnownPerson = {
  accountId: string
  name: string
  email: string
  emailConfirmedAt: Date | null
  bannedUntil: Date | null
}

/**
 * The people in the workspace of any transaction, to be joined: `join ${peopleHere} person on person.account_id = …`. The app's role may not read
 * the tables of accounts: a function of the owner does.
 */
export const peopleHere = sql`people_of_workspace()`

/** The people in the workspace of the transaction, which may be the app's. */
async function knownPeople(tx: Tx): Promise<KnownPerson[]> {
  const { rows } = await sql<KnownPerson>`
    select account_id as "accountId", name, email, email_confirmed_at as "emailConfirmedAt", banned_until as "bannedUntil"
    from ${peopleHere}`.execute(tx)
  return rows
}

/** A person of the workspace; null when the account is not in it. */
export async function knownPerson(tx: Tx, accountId: string): Promise<KnownPerson | null> {
  return (await knownPeople(tx)).find((person) => person.accountId === accountId) ?? null
}

/** What the people in the workspace of the transaction are called, by their accounts, as the screen of the team has it. */
export async function memberNames(tx: Tx): Promise<Map<string, string>> {
  return new Map((await knownPeople(tx)).map(({ accountId, name, email }) => [accountId, name || email]))
}

/** The people in a workspace, the longest there first. The transaction must be of that workspace. */
export async function peopleOf(tx: AccountTx, workspaceId: string): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select m.account_id as "accountId", p.name, p.email, m.role, m.created_at as "joinedAt"
    from ${members} m join ${people} p on p.id = m.account_id
    where m.workspace_id = ${workspaceId} order by m.created_at, m.account_id`.execute(tx)
  return rows
}

/** The confirmed e-mail addresses of the people in a workspace, apart from one of them. The transaction must be of that workspace. */
export async function confirmedAddressesOf(tx: AccountTx, workspaceId: string, except: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from ${members} m join account a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and m.account_id <> ${except} and a.email_confirmed_at is not null
    order by a.email`.execute(tx)
  return rows.map(({ email }) => email)
}

import type { Role } from '@groundswell/contract/role.ts'
import { sql } from 'kysely'
import { members } from '../../features/workspaces/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { people } from '../account/store.ts'

/** A person in a workspace. */
export type PersonRow = { accountId: string; name: string; email: string; role: Role; joinedAt: Date }

/** What the people in a workspace are called, by their accounts, as the screen of the team has it. The transaction must be of that workspace. */
export async function memberNames(tx: Tx, workspaceId: string): Promise<Map<string, string>> {
  return new Map((await peopleOf(tx, workspaceId)).map(({ accountId, name, email }) => [accountId, name || email]))
}

/** The people in a workspace, the longest there first. The transaction must be of that workspace. */
export async function peopleOf(tx: Tx, workspaceId: string): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select m.account_id as "accountId", p.name, p.email, m.role, m.created_at as "joinedAt"
    from ${members} m join ${people} p on p.id = m.account_id
    where m.workspace_id = ${workspaceId} order by m.created_at, m.account_id`.execute(tx)
  return rows
}

/** The confirmed e-mail addresses of the people in a workspace, apart from one of them. The transaction must be of that workspace. */
export async function confirmedAddressesOf(tx: Tx, workspaceId: string, except: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select a.email from ${members} m join account a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and m.account_id <> ${except} and a.email_confirmed_at is not null
    order by a.email`.execute(tx)
  return rows.map(({ email }) => email)
}

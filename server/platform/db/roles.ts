import { CompiledQuery } from 'kysely'
import { type AccountRights, AuthRoleError, SET_UP_AUTH } from './account-tables.ts'
import { APP_ROLE, AUTH_ROLE } from './connection.ts'
import type { GuardedClient } from './guarded-client.ts'
import { errorCode } from './retry.ts'
import { type AccountsDatabase, type Tx, withoutWorkspace } from './tenant.ts'
import { NotBegun } from './unavailable.ts'

/** This process would work with rights that row-level security does not limit; the message says what to change. */
export class RoleError extends Error {
  override name = 'RoleError'
}

/** The role that statements run as, and whether it could see every workspace. */
type Role = { name: string; above: boolean }

const CURRENT =
  'select current_user::text as name, rolsuper or rolbypassrls as above from pg_roles where rolname = current_user'

/** Why this transaction must not serve anyone; null: it runs as the app's role, which row-level security limits. */
export async function roleProblem(tx: Tx): Promise<string | null> {
  const { rows } = await tx.executeQuery(CompiledQuery.raw(CURRENT) as CompiledQuery<Role>)
  return problemOf(rows[0])
}

/** The same for a connection. */
export async function connectionRoleProblem(client: GuardedClient): Promise<string | null> {
  const { rows } = await client.query<Role>(CURRENT)
  return problemOf(rows[0])
}

function problemOf(role: Role | undefined, expected = APP_ROLE): string | null {
  if (role?.name !== expected) return `The product works as ${role?.name ?? 'an unknown role'} instead of ${expected}`
  return role.above ? `The role ${expected} may bypass row-level security` : null
}

/** Throws AuthRoleError, before anything is changed, unless the address of the sign-in code leads to its role. */
export async function requireAuthSignIn(accounts: AccountsDatabase): Promise<void> {
  try {
    await withoutWorkspace(accounts, async () => undefined)
  } catch (error) {
    const code = errorCode(error instanceof NotBegun ? error.cause : error)
    if (!code || !NO_ROLE.has(code)) throw error
    throw new AuthRoleError(`The user of DATABASE_AUTH_URL may not work as ${AUTH_ROLE}. ${SET_UP_AUTH}`, {
      cause: error,
    })
  }
}

/** No such role, not a member of it, or no such sign-in. */
const NO_ROLE: ReadonlySet<string> = new Set(['42501', '22023', '28000', '28P01'])

/** Why nobody could be signed in; null: the sign-in code may use the tables of accounts. `accounts`: null where it works as the app's role. */
export async function authProblem(
  accounts: AccountsDatabase | null,
  rights: AccountRights | null,
): Promise<string | null> {
  if (rights === null) return null
  if (accounts === null) {
    return rights.app
      ? null
      : `DATABASE_AUTH_URL is not set, and ${APP_ROLE} may not read the tables of accounts, which belong to ${AUTH_ROLE}`
  }
  if (!rights.auth) {
    return `The role ${AUTH_ROLE} may not read the tables of accounts yet: run \`groundswell migrate\` with DATABASE_AUTH_URL and DATABASE_ADMIN_URL set`
  }
  const { rows } = await withoutWorkspace(accounts, (tx) =>
    tx.executeQuery(CompiledQuery.raw(CURRENT) as CompiledQuery<Role>),
  )
  return problemOf(rows[0], AUTH_ROLE)
}

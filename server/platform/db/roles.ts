import { CompiledQuery } from 'kysely'
import { APP_ROLE } from './connection.ts'
import type { GuardedClient } from './guarded-client.ts'
import type { Tx } from './tenant.ts'

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

function problemOf(role: Role | undefined): string | null {
  if (role?.name !== APP_ROLE) return `The product works as ${role?.name ?? 'an unknown role'} instead of ${APP_ROLE}`
  return role.above ? `The role ${APP_ROLE} may bypass row-level security` : null
}

import type pg from 'pg'
import { APP_ROLE, AUTH_ROLE } from './connection.ts'
import { errorCode } from './retry.ts'

/**
 * How the sign-in code gets its own role. `login`: this is the private server, and the role signs in to it; `address`: DATABASE_AUTH_URL
 * names a user who has it; `taken`: the one address for everything takes it; `none`: DATABASE_URL signs in as the app, and nothing else is set.
 */
export type AuthAccess = 'login' | 'address' | 'taken' | 'none'

/** Why the sign-in code's role cannot be used; the message is for the operator. */
export class AuthRoleError extends Error {
  override name = 'AuthRoleError'
}

/** Whether the app's role has any right to a table of accounts, and whether the sign-in code's role may read them all. */
export type AccountRights = { app: boolean; auth: boolean }

/** What an administrator does about it. */
export const SET_UP_AUTH: string = `As an administrator of the server run:
  create role ${AUTH_ROLE} login password '…' nosuperuser nobypassrls;
  grant ${APP_ROLE} to ${AUTH_ROLE};
See "Database roles" in docs/operations.md. Nothing was changed.`

/** Reads the rights to the tables of accounts; null before the migration that names them. Takes no lock; any user may ask. */
export async function accountRights(client: pg.ClientBase): Promise<AccountRights | null> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regprocedure('public.account_tables()') is not null as there`,
  )
  if (!found[0]?.there) return null
  const { rows } = await client.query<AccountRights>(
    `select coalesce(bool_or(has_table_privilege($1, format('public.%I', name), 'select, insert, update, delete')), false) as app,
       coalesce(bool_and(case when exists (select from pg_roles where rolname = $2)
         then has_table_privilege((select oid from pg_roles where rolname = $2), format('public.%I', name), 'select') end), false) as auth
     from account_tables()`,
    [APP_ROLE, AUTH_ROLE],
  )
  return rows[0] ?? null
}

type Role = { present: boolean; above: boolean; login: boolean; worksAsApp: boolean; ours: boolean; openToApp: boolean }

/**
 * Makes sure, before anything else is changed, that the role exists with the rights of the app's role, and that the app's role cannot take it. Throws
 * AuthRoleError with the statements for an administrator where this user may not do so.
 */
export async function ensureAuthRole(client: pg.ClientBase, access: AuthAccess): Promise<void> {
  const role = await readRole(client)
  if (role?.above)
    throw new AuthRoleError(`the role ${AUTH_ROLE} may bypass row-level security: alter it to nosuperuser nobypassrls`)
  if (role?.openToApp)
    throw new AuthRoleError(`${APP_ROLE} can take the role ${AUTH_ROLE}: revoke ${AUTH_ROLE} from ${APP_ROLE}`)
  if (!role?.present && access === 'address') throw missing(`there is no role ${AUTH_ROLE}`)
  try {
    const login = access === 'login' ? 'login' : 'nologin'
    if (!role?.present)
      await tryStatement(client, `create role ${AUTH_ROLE} ${login} nosuperuser nobypassrls nocreatedb nocreaterole`)
    else if (access === 'login' && !role.login) await tryStatement(client, `alter role ${AUTH_ROLE} login`)
    if (!role?.worksAsApp) await tryStatement(client, `grant ${APP_ROLE} to ${AUTH_ROLE}`)
    if (access === 'taken' && !role?.ours) await tryStatement(client, `grant ${AUTH_ROLE} to current_user`)
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    throw missing(`the owner of the tables may not prepare the role ${AUTH_ROLE}`, error)
  }
}

function missing(what: string, cause?: unknown): AuthRoleError {
  return new AuthRoleError(`${what}. ${SET_UP_AUTH}`, { cause })
}

async function readRole(client: pg.ClientBase): Promise<Role | undefined> {
  const { rows } = await client.query<Role>(
    `select true as present, rolsuper or rolbypassrls as above, rolcanlogin as login,
       coalesce((select pg_has_role(r.oid, app.oid, 'usage') from pg_roles app where app.rolname = $2), false) as "worksAsApp",
       pg_has_role(r.oid, 'member') as ours,
       coalesce((select pg_has_role(app.oid, r.oid, 'member') and not app.rolsuper from pg_roles app where app.rolname = $2), false) as "openToApp"
     from pg_roles r where r.rolname = $1`,
    [AUTH_ROLE, APP_ROLE],
  )
  return rows[0]
}

/**
 * Leaves the tables of accounts to the sign-in code's role, which exists, and takes from the app's role all rights to them. Processes that do not use
 * that role can sign nobody in afterwards.
 */
export async function separateAccounts(client: pg.ClientBase): Promise<void> {
  const rights = await accountRights(client)
  if (!rights || (!rights.app && rights.auth)) return
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant %s on public.%I to ${AUTH_ROLE}; revoke all on public.%2$I from ${APP_ROLE}',
       case when writable then 'select, insert, update, delete' else 'select' end, name) as statement from account_tables()`,
  )
  // One message is one transaction: the tables are never without a role that may use them.
  await client.query(rows.map(({ statement }) => statement).join('; '))
}

/** Runs a statement about a role, which all databases of a server share: another database may have done the same just now. */
export async function tryStatement(client: pg.ClientBase, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const concurrent = /tuple concurrently updated/.test((error as Error).message)
    const code = errorCode(error)
    if (!concurrent && code !== '42710' && code !== '23505') throw error
  }
}

import type pg from 'pg'
import {
  type AuthAccess,
  AuthRoleError,
  accountRights,
  ensureAuthRole,
  separateAccounts,
  tryStatement,
} from './account-tables.ts'
import { APP_ROLE } from './connection.ts'
import {
  type AppliedFunctions,
  applyFunctions,
  changedOf,
  createFunctionTable,
  type FunctionFile,
  forgetFunctions,
  functionsAt,
  noteFunctions,
  readAppliedFunctions,
} from './function-files.ts'
import { openClient } from './guarded-client.ts'
import { LONG, ORDINARY } from './limits.ts'
import { MigrationError } from './migration-error.ts'
import {
  type AppliedRow,
  compare,
  type MigrationFile,
  type Migrations,
  pendingOf,
  readMigrations,
} from './migration-files.ts'
import { ownerOf } from './owner.ts'
import { errorCode } from './retry.ts'

/** What a migration did. */
export interface MigrationReport {
  /** Names of the migrations applied by this call, in order. */
  applied: string[]
  /** Names of the function files applied by this call. */
  functions: string[]
  /** The version the database has now; 0 when the folder is empty. */
  version: number
}

const MIN_SERVER_VERSION = 150_000
/** Any fixed number: it names the lock under which one process at a time migrates a database. */
const LOCK = 7_236_410_915

/**
 * Brings a database to the version of the folder's `NNNN-name.sql` files: forward only, each file in a transaction
 * of its own, under a lock, so any number of processes may call it at once. Then applies the files of `functions/` that have changed. A database that
 * the migrations before the folder's baseline made takes over the baseline as applied. Also makes sure that the app's role
 * exists and is subject to row-level security. Refuses, changing nothing, when a file that was applied has changed or
 * gone, or when the database is newer than the folder or older than its baseline. `appSignsIn`: the app signs in as its role, so the owner need
 * not be able to take that role. `auth`: how the sign-in code gets its role, which the tables of accounts are left to.
 */
export async function migrate(
  ownerUrl: string,
  folder: string,
  { appSignsIn = false, auth = 'none' }: { appSignsIn?: boolean; auth?: AuthAccess } = {},
): Promise<MigrationReport> {
  const migrations = await readMigrations(folder)
  return withLockedClient(ownerUrl, async (client) => {
    await checkServer(client)
    const { rows, adopts } = compare(migrations, await readApplied(client))
    await readAppliedFunctions(client)
    await ensureAppRole(client, appSignsIn)
    const separates = await mayUseAuthRole(client, auth)
    await createMigrationTables(client)
    if (adopts) await inTransaction(client, () => adopt(client, migrations))
    const steps = pendingOf(migrations.files, rows)
    const applied: string[] = []
    const functions: string[] = []
    for (const file of steps) {
      functions.push(...(await inTransaction(client, () => run(client, file, migrations.functions))))
      applied.push(file.name)
    }
    functions.push(...(await inTransaction(client, () => renewFunctions(client, migrations))))
    await protectMigrationTables(client)
    if (separates) await separateAccounts(client)
    return { applied, functions, version: newestOf(migrations) }
  })
}

/**
 * Replaces the schema by that of an earlier version, in the transaction of the caller, who holds the lock of `withLockedClient`:
 * every table and function of the owner is dropped with what it holds. False, changing nothing: there is no such version.
 */
export async function recreateAtVersion(client: pg.Client, folder: string, version: number): Promise<boolean> {
  const { files, functions } = await readMigrations(folder)
  if (!files.some((file) => file.version === version)) return false
  await dropSchemaObjects(client)
  await createMigrationTables(client)
  for (const file of files.filter((file) => file.version <= version)) await run(client, file, functions)
  return true
}

/**
 * Applies the migrations after `version`, in the transaction of the caller, who holds the lock of `withLockedClient`. `apart`: the app had no
 * rights to the tables of accounts before they were recreated, and gets none.
 */
export async function migrateFrom(
  client: pg.Client,
  folder: string,
  version: number,
  { apart }: { apart: boolean },
): Promise<void> {
  const migrations = await readMigrations(folder)
  // A table cannot be altered while checks of its rows wait for the end of the transaction.
  await client.query('set constraints all immediate')
  for (const file of migrations.files) if (file.version > version) await run(client, file, migrations.functions)
  await renewFunctions(client, migrations)
  await protectMigrationTables(client)
  if (apart) await separateAccounts(client)
}

function newestOf({ files }: Migrations): number {
  return files.at(-1)?.version ?? 0
}

/** The database has the schema of the baseline: only what it remembers as applied changes. `installedAt` stays. */
async function adopt(client: pg.Client, { files, baseline }: Migrations): Promise<void> {
  const [file] = files
  if (!baseline || !file) return
  const { rows } = await client.query<{ at: Date }>('select min(applied_at) as at from migration')
  await client.query('delete from migration where version <= $1', [baseline.version])
  await client.query('insert into migration (version, name, checksum, applied_at) values ($1, $2, $3, $4)', [
    file.version,
    file.name,
    file.checksum,
    rows[0]?.at,
  ])
  await noteFunctions(client, new Map(Object.entries(baseline.functions)), baseline.release)
}

/** Applies the function files that have changed. */
async function renewFunctions(client: pg.Client, migrations: Migrations): Promise<string[]> {
  const wanted = functionsAt(migrations.functions, newestOf(migrations))
  const renewed = await applyFunctions(client, changedOf(wanted, await readAppliedFunctions(client)))
  await forgetFunctions(client, wanted)
  return renewed
}

/**
 * Whether the tables of accounts are left to the sign-in code's role. With one address for everything they are from the first start on, if its user may
 * create that role, but not in an installation that an earlier version made, whose processes may still run.
 */
async function mayUseAuthRole(client: pg.Client, auth: AuthAccess): Promise<boolean> {
  if (auth === 'none') return false
  try {
    if (auth !== 'taken') await ensureAuthRole(client, auth)
    else if (await isApart(client)) await ensureAuthRole(client, auth)
    else if (await isMigrated(client)) return false
    else return await ensureAuthRole(client, auth).then(() => true, unlessAuthRole)
    return true
  } catch (error) {
    throw error instanceof AuthRoleError ? new MigrationError(error.message, { cause: error }) : error
  }
}

function unlessAuthRole(error: unknown): false {
  if (error instanceof AuthRoleError) return false
  throw error
}

/** Whether the app's role has no rights to the tables of accounts. */
export async function isApart(client: pg.Client): Promise<boolean> {
  const rights = await accountRights(client)
  return rights !== null && !rights.app
}

async function createMigrationTables(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
  await createFunctionTable(client)
}

/** A migration may have granted access to every table of the schema; the app must not write to these. */
async function protectMigrationTables(client: pg.Client): Promise<void> {
  await client.query(`revoke all on migration, function_file from ${APP_ROLE}`)
  await client.query(`grant select on migration, function_file to ${APP_ROLE}`)
}

/** Drops the owner's tables and functions of the schema public; what an extension or another user created stays. */
async function dropSchemaObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop table %s cascade', oid::regclass) as statement from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_has_role(current_user, relowner, 'usage')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    union all
    select format('drop function %s cascade', oid::regprocedure) from pg_proc p
      where pronamespace = 'public'::regnamespace and prokind = 'f' and pg_has_role(current_user, proowner, 'usage')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  for (const { statement } of rows) await client.query(statement)
}

/**
 * `migrate` for a process that is not the owner: it checks that there is nothing to do, without a lock, so that it may go
 * through a pooler. Refuses when a migration is pending.
 */
export async function requireMigrated(url: string, folder: string): Promise<MigrationReport> {
  const migrations = await readMigrations(folder)
  const client = await openClient(url, 'groundswell', ORDINARY)
  try {
    await checkServer(client)
    const { user } = await ownerOf(client)
    const { adopts, pending, functions } = await lackingOf(client, migrations)
    const names = [
      ...(adopts ? migrations.files.slice(0, 1) : []).map(({ name }) => name),
      ...pending.map(({ name }) => name),
      ...functions.map(({ name }) => `functions/${name}`),
    ]
    if (names.length > 0) throw new MigrationError(needsOwner(user, `The database lacks ${inWords(names)}`))
    return { applied: [], functions: [], version: newestOf(migrations) }
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    throw new MigrationError(
      `the database's user may not read its tables: let it sign in as ${APP_ROLE}, or as a user that may take that role. See "Database roles" in docs/operations.md.`,
      { cause: error },
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The advice for a user who is not the owner. */
export function needsOwner(user: string, lacks: string): string {
  return (
    `${lacks}, and ${user} may not change its tables.\n` +
    'Run `groundswell migrate` once with DATABASE_ADMIN_URL set to the address of the owner, then start this again.'
  )
}

function inWords(pending: readonly string[]): string {
  return pending.length > 3 ? `${pending.length} migrations and functions` : pending.join(', ')
}

/** Runs `work` as the owner, while no other process migrates the same database. */
export async function withLockedClient<T>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<T>,
  name = 'groundswell migrate',
): Promise<T> {
  const client = await openClient(ownerUrl, name, LONG)
  try {
    // Another process may take as long as migrations take; waiting for a table, however, holds up everybody else.
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`set lock_timeout = ${LONG.lock}`)
    return await work(client)
  } finally {
    await client.end()
  }
}

type PendingFile = { name: string; sql: string }

/**
 * The files of a folder that a database at `version` lacks, in order: migrations, and function files, as `functions/noun/subject`. `applied`: the text of those that it
 * has. `adopts`: the name of the baseline, where it takes the place of the migrations before it; else null.
 */
export type PendingUpgrade = {
  version: number
  applied: string
  adopts: string | null
  pending: PendingFile[]
  functions: PendingFile[]
}

/** Reads what a database lacks. Takes no lock and changes nothing. */
export async function readPending(url: string, folder: string): Promise<PendingUpgrade> {
  const migrations = await readMigrations(folder)
  const client = await openClient(url, 'groundswell upgrade', ORDINARY)
  try {
    await checkServer(client)
    const { version, adopts, pending, functions } = await lackingOf(client, migrations)
    const known = migrations.files.filter((file) => !pending.includes(file))
    const texts = version === 0 ? [] : [...known, ...functionsAt(migrations.functions, version)]
    return {
      version,
      applied: texts.map(({ sql }) => sql).join('\n'),
      adopts: adopts ? (migrations.files[0]?.name ?? null) : null,
      pending: pending.map(({ name, sql }) => ({ name, sql })),
      functions: functions.map(({ name, sql }) => ({ name: `functions/${name}`, sql })),
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Lacking = { version: number; adopts: boolean; pending: MigrationFile[]; functions: FunctionFile[] }

async function lackingOf(client: pg.Client, migrations: Migrations): Promise<Lacking> {
  const { rows, adopts } = compare(migrations, await readApplied(client))
  const noted: AppliedFunctions = adopts
    ? new Map(Object.entries(migrations.baseline?.functions ?? {}))
    : await readAppliedFunctions(client)
  return {
    version: rows.at(-1)?.version ?? 0,
    adopts,
    pending: pendingOf(migrations.files, rows),
    functions: changedOf(functionsAt(migrations.functions, newestOf(migrations)), noted),
  }
}

/** What was applied, in order; nothing in a new database. */
async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  if (!(await isMigrated(client))) return []
  return (await client.query<AppliedRow>('select version, name, checksum from migration order by version')).rows
}

async function isMigrated(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('public.migration') is not null as there`)
  return rows[0]?.there ?? false
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Applies a migration, and the function files that fit its tables. Returns the names of those. */
async function run(
  client: pg.Client,
  { version, name, checksum, sql }: MigrationFile,
  functions: readonly FunctionFile[],
): Promise<string[]> {
  try {
    await client.query(sql)
    await client.query('insert into migration (version, name, checksum) values ($1, $2, $3)', [version, name, checksum])
  } catch (error) {
    throw new MigrationError(`the migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
  return applyFunctions(client, changedOf(functionsAt(functions, version), await readAppliedFunctions(client)))
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string; encoding: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding`,
  )
  const server = rows[0]
  if (!server || Number(server.number) < MIN_SERVER_VERSION) {
    throw new MigrationError(`PostgreSQL ${server?.name} is too old: version 15 or later is needed`)
  }
  if (server.encoding !== 'UTF8') {
    throw new MigrationError(`the database is encoded in ${server.encoding}: make one with encoding UTF8`)
  }
}

/** Roles belong to the whole server; migrations of its other databases may be changing them at the same moment. */
async function ensureAppRole(client: pg.Client, appSignsIn: boolean): Promise<void> {
  const { rows } = await client.query<{ present: boolean; above: boolean | null; member: boolean | null }>(
    `select r.oid is not null as present, r.rolsuper or r.rolbypassrls as above,
       case when r.oid is not null then pg_has_role(r.oid, 'member') end as member
     from (select 1) one left join pg_roles r on r.rolname = $1`,
    [APP_ROLE],
  )
  const role = rows[0]
  if (role?.above) {
    throw new MigrationError(`the role ${APP_ROLE} may bypass row-level security: alter it to nosuperuser nobypassrls`)
  }
  try {
    if (!role?.present) {
      await tryStatement(client, `create role ${APP_ROLE} nologin nosuperuser nobypassrls nocreatedb nocreaterole`)
    }
    if (!role?.member && !(appSignsIn && role?.present)) await tryStatement(client, `grant ${APP_ROLE} to current_user`)
    await client.query(`grant usage on schema public to ${APP_ROLE}`)
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    throw new MigrationError(
      `the database's user may not make the role it needs. As an administrator run:\n  create role ${APP_ROLE} nologin;\n` +
        `  grant ${APP_ROLE} to <the user of DATABASE_URL>;\nOr let ${APP_ROLE} sign in itself: see "Database roles" in docs/operations.md.`,
      { cause: error },
    )
  }
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
import { openClient } from './guarded-client.ts'
import { LONG, ORDINARY } from './limits.ts'
import { ownerOf } from './owner.ts'
import { errorCode } from './retry.ts'

/** The database and the migration files do not match; nothing was changed. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

export interface MigrationReport {
  /** Names of the files applied by this call, in order. */
  applied: string[]
  /** The version the database has now; 0 when the folder is empty. */
  version: number
}

interface MigrationFile {
  version: number
  name: string
  checksum: string
  sql: string
}

interface AppliedRow {
  version: number
  name: string
  checksum: string
}

const FILE_NAME = /^(\d{4})-[a-z0-9][a-z0-9-]*\.sql$/
const MIN_SERVER_VERSION = 150_000
/** Any fixed number: it names the lock under which one process at a time migrates a database. */
const LOCK = 7_236_410_915

/**
 * Brings a database to the version of the folder's `NNNN-name.sql` files: forward only, each file in a transaction
 * of its own, under a lock, so any number of processes may call it at once. Also makes sure that the app's role
 * exists and is subject to row-level security. Refuses, changing nothing, when a file that was applied has changed or
 * gone, or when the database is newer than the folder. `appSignsIn`: the app signs in as its role, so the owner need
 * not be able to take that role. `auth`: how the sign-in code gets its role, which the tables of accounts are left to.
 */
export async function migrate(
  ownerUrl: string,
  folder: string,
  { appSignsIn = false, auth = 'none' }: { appSignsIn?: boolean; auth?: AuthAccess } = {},
): Promise<MigrationReport> {
  const files = await readFiles(folder)
  return withLockedClient(ownerUrl, async (client) => {
    await checkServer(client)
    await ensureAppRole(client, appSignsIn)
    const separates = await mayUseAuthRole(client, auth)
    await createMigrationTable(client)
    const { rows } = await client.query<AppliedRow>('select version, name, checksum from migration order by version')
    check(files, rows)
    const done = new Set(rows.map((row) => row.version))
    const applied: string[] = []
    for (const file of files) {
      if (done.has(file.version)) continue
      await apply(client, file)
      applied.push(file.name)
    }
    await protectMigrationTable(client)
    if (separates) await separateAccounts(client)
    return { applied, version: files.at(-1)?.version ?? 0 }
  })
}

/**
 * Replaces the schema by that of an earlier version, in the transaction of the caller, who holds the lock of `withLockedClient`:
 * every table and function of the owner is dropped with what it holds. False, changing nothing: there is no such version.
 */
export async function recreateAtVersion(client: pg.Client, folder: string, version: number): Promise<boolean> {
  const files = await readFiles(folder)
  if (!files.some((file) => file.version === version)) return false
  await dropSchemaObjects(client)
  await createMigrationTable(client)
  for (const file of files.filter((file) => file.version <= version)) await run(client, file)
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
  // A table cannot be altered while checks of its rows wait for the end of the transaction.
  await client.query('set constraints all immediate')
  for (const file of await readFiles(folder)) if (file.version > version) await run(client, file)
  await protectMigrationTable(client)
  if (apart) await separateAccounts(client)
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

async function createMigrationTable(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
}

/** A migration may have granted access to every table of the schema; the app must not write to this one. */
async function protectMigrationTable(client: pg.Client): Promise<void> {
  await client.query(`revoke all on migration from ${APP_ROLE}`)
  await client.query(`grant select on migration to ${APP_ROLE}`)
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
  const files = await readFiles(folder)
  const client = await openClient(url, 'groundswell', ORDINARY)
  try {
    await checkServer(client)
    const { user } = await ownerOf(client)
    const rows = await readApplied(client)
    check(files, rows)
    const done = new Set(rows.map((row) => row.version))
    const pending = files.filter(({ version }) => !done.has(version)).map(({ name }) => name)
    if (pending.length > 0) throw new MigrationError(needsOwner(user, `The database lacks ${inWords(pending)}`))
    return { applied: [], version: files.at(-1)?.version ?? 0 }
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
  return pending.length > 3 ? `${pending.length} migrations` : pending.join(', ')
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

/** The migrations of a folder that a database lacks, in order, and the text of those that it has. Takes no lock and changes nothing. */
export async function readPending(
  url: string,
  folder: string,
): Promise<{ version: number; applied: string; pending: { name: string; sql: string }[] }> {
  const files = await readFiles(folder)
  const client = await openClient(url, 'groundswell upgrade', ORDINARY)
  try {
    await checkServer(client)
    const rows = await readApplied(client)
    check(files, rows)
    const done = new Set(rows.map((row) => row.version))
    const applied = files.filter(({ version }) => done.has(version)).map(({ sql }) => sql)
    return {
      version: rows.at(-1)?.version ?? 0,
      applied: applied.join('\n'),
      pending: files.filter(({ version }) => !done.has(version)).map(({ name, sql }) => ({ name, sql })),
    }
  } finally {
    await client.end().catch(() => undefined)
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

async function readFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const files: MigrationFile[] = []
  for (const name of names) {
    const match = FILE_NAME.exec(name)
    if (!match) throw new MigrationError(`${join(folder, name)} is not named NNNN-name.sql`)
    const version = Number(match[1])
    if (files.at(-1)?.version === version) throw new MigrationError(`two migrations have the number ${match[1]}`)
    const sql = await readFile(join(folder, name), 'utf8')
    const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
    files.push({ version, name, checksum, sql })
  }
  return files
}

function check(files: MigrationFile[], rows: AppliedRow[]): void {
  const byVersion = new Map(files.map((file) => [file.version, file]))
  const newest = files.at(-1)?.version ?? 0
  for (const row of rows) {
    const file = byVersion.get(row.version)
    if (!file && row.version > newest) {
      throw new MigrationError(
        `the database is at version ${rows.at(-1)?.version}, newer than this program (${newest}): ` +
          'start the newer program, or restore a backup made before the update',
      )
    }
    if (!file) throw new MigrationError(`the migration ${row.name} was applied but its file is gone`)
    if (file.checksum !== row.checksum) {
      throw new MigrationError(
        `the migration ${row.name} was changed after it had been applied: put it back and write a new one`,
      )
    }
  }
  const last = rows.at(-1)?.version ?? 0
  const done = new Set(rows.map((row) => row.version))
  const late = files.find((file) => file.version < last && !done.has(file.version))
  if (late) throw new MigrationError(`the migration ${late.name} comes before version ${last}, which is applied`)
}

async function apply(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('begin')
  try {
    await run(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function run(client: pg.Client, { version, name, checksum, sql }: MigrationFile): Promise<void> {
  try {
    await client.query(sql)
    await client.query('insert into migration (version, name, checksum) values ($1, $2, $3)', [version, name, checksum])
  } catch (error) {
    throw new MigrationError(`the migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
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

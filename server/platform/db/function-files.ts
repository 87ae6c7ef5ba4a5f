import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { version as release } from '../version.ts'
import { MigrationError } from './migration-error.ts'
import { checksumOf } from './migration-text.ts'

/**
 * A file of functions and triggers, which is applied again whenever it has changed. `name`: `noun/subject`. `since`: the migration whose tables it needs;
 * 0: any.
 */
export type FunctionFile = { name: string; since: number; checksum: string; sql: string }

/** The checksum of each file that a database has applied, by name. */
export type AppliedFunctions = ReadonlyMap<string, string>

const FILE_NAME = /^([a-z][a-z-]*\/[a-z][a-z-]*?)(?:\.(\d{4}))?\.sql$/

/** Reads `noun/subject.sql` and `noun/subject.NNNN.sql`, where the latter replaces the former from migration NNNN on. Sorted by name. */
export async function readFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file) => {
      const [, name, since = '0'] = FILE_NAME.exec(file.replaceAll('\\', '/')) ?? []
      if (name === undefined) throw new MigrationError(`${join(folder, file)} is not named noun/subject.sql`)
      const sql = await readFile(join(folder, file), 'utf8')
      return { name, since: Number(since), checksum: checksumOf(sql), sql }
    }),
  )
}

/** The files that fit the tables of a version of the database. */
export function functionsAt(files: readonly FunctionFile[], version: number): FunctionFile[] {
  const found = new Map<string, FunctionFile>()
  for (const file of files) {
    if (file.since <= version && file.since >= (found.get(file.name)?.since ?? 0)) found.set(file.name, file)
  }
  return [...found.values()]
}

/** Those of the files that a database lacks or has with another text. */
export function changedOf(files: readonly FunctionFile[], applied: AppliedFunctions): FunctionFile[] {
  return files.filter(({ name, checksum }) => applied.get(name) !== checksum)
}

/** Creates the table of the files that were applied. */
export async function createFunctionTable(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists function_file (
      name text primary key,
      checksum text not null,
      release text not null,
      applied_at timestamptz not null default now()
    )`)
}

/** What was applied; nothing in a database without that table. Throws MigrationError where a newer version has applied its own functions. */
export async function readAppliedFunctions(client: pg.Client): Promise<AppliedFunctions> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('public.function_file') is not null as there`,
  )
  if (!found[0]?.there) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string; release: string }>(
    'select name, checksum, release from function_file',
  )
  const newer = rows.find((row) => row.release.localeCompare(release, 'en', { numeric: true }) > 0)
  if (newer) {
    throw new MigrationError(
      `the database has functions of version ${newer.release}, newer than this program (${release}): ` +
        'start the newer program, or restore a backup made before the update',
    )
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/**
 * Applies files, in the transaction of the caller. Bodies are not checked meanwhile, since a function may come before another one that it calls. Returns
 * their names.
 */
export async function applyFunctions(client: pg.Client, files: readonly FunctionFile[]): Promise<string[]> {
  if (files.length > 0) await client.query('set local check_function_bodies = off')
  for (const { name, sql } of files) {
    try {
      await client.query(sql)
    } catch (error) {
      throw new MigrationError(`the functions of ${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
  await noteFunctions(client, new Map(files.map(({ name, checksum }) => [name, checksum])), release)
  return files.map(({ name }) => name)
}

/** Notes files as applied by a release. */
export async function noteFunctions(client: pg.Client, files: AppliedFunctions, by: string): Promise<void> {
  await client.query(
    `insert into function_file (name, checksum, release) select name, checksum, $3 from unnest($1::text[], $2::text[]) as given (name, checksum)
     on conflict (name) do update set checksum = excluded.checksum, release = excluded.release, applied_at = now()`,
    [[...files.keys()], [...files.values()], by],
  )
}

/** Forgets files that are gone: a migration has dropped what they made. */
export async function forgetFunctions(client: pg.Client, files: readonly FunctionFile[]): Promise<void> {
  await client.query('delete from function_file where name <> all($1::text[])', [files.map(({ name }) => name)])
}

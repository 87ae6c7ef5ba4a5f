import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { readMigrations } from '../platform/db/migration-files.ts'

/** The product's own migrations. */
export const migrations: string = path.join(import.meta.dirname, '..', 'migrations')

/** The names and checksums of the migrations before the baseline, in order, as a database that has applied all of them lists them. */
export async function listBeforeBaseline(): Promise<{ version: number; name: string; checksum: string }[]> {
  const text = await readFile(path.join(import.meta.dirname, 'migrations-0117.txt'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', checksum = ''] = line.split(' ')
      return { version: Number(name.slice(0, 4)), name, checksum }
    })
}

/** What `backup --secrets` of the last version before the baseline wrote, line by line. */
export async function candidateBackup(): Promise<string[]> {
  return (await readFile(path.join(import.meta.dirname, 'release-candidate.jsonl'), 'utf8')).trimEnd().split('\n')
}

/** What `backup --secrets` of the first release wrote, line by line: a backup from before the baseline. */
export async function firstReleaseBackup(): Promise<string[]> {
  return (await readFile(path.join(import.meta.dirname, 'first-release.jsonl'), 'utf8')).trimEnd().split('\n')
}

/** Gives a database with the baseline's schema the list of migrations, and the lack of a list of functions, that older migrations left. */
export async function listMigrations(
  owner: pg.ClientBase,
  applied: readonly { version: number; name: string; checksum: string }[],
  appliedAt: Date = new Date('2026-11-01T12:00:00Z'),
): Promise<void> {
  await owner.query('drop table if exists function_file')
  await owner.query('delete from migration')
  await owner.query(
    `insert into migration (version, name, checksum, applied_at)
     select version, name, checksum, $2::timestamptz + version * interval '1 second' from jsonb_to_recordset($1) as given (version int, name text, checksum text)`,
    [JSON.stringify(applied), appliedAt],
  )
}

/** A folder with the baseline alone, as version 0.1.0 has it, and the function files that have not changed since. Delete it afterwards. */
export async function baselineFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-baseline-'))
  for (const name of ['0117-baseline.sql', 'baseline.json', 'functions'])
    await cp(path.join(migrations, name), path.join(folder, name), { recursive: true })
  const { baseline, functions } = await readMigrations(folder)
  for (const { name, since, checksum } of functions) {
    const file = since === 0 ? `${name}.sql` : `${name}.${String(since).padStart(4, '0')}.sql`
    if (baseline?.functions[name] !== checksum) await rm(path.join(folder, 'functions', file))
  }
  return folder
}

/** A copy of the product's migrations with one more, so that every stored version is an earlier one. Delete it afterwards. */
export async function withNextMigration(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-next-'))
  await rm(folder, { recursive: true })
  await cp(migrations, folder, { recursive: true })
  await writeFile(path.join(folder, '9999-next.sql'), 'alter table insight add column next text;\n')
  return folder
}

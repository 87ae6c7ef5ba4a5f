import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FunctionFile, readFunctionFiles } from './function-files.ts'
import { MigrationError } from './migration-error.ts'
import { checksumOf } from './migration-text.ts'

/** One step of the schema: a file `NNNN-name.sql`. `checksum`: SHA-256 of its text, in hex. */
export type MigrationFile = { version: number; name: string; checksum: string; sql: string }

/** A row of the table `migration`: a step that a database has applied. */
export type AppliedRow = { version: number; name: string; checksum: string }

/**
 * The first file of the folder, where it stands for all migrations of before (`baseline.json`). `replaces`: SHA-256, in hex, of the list of those
 * migrations: one line `name checksum` each. A database that applied exactly these has the schema of the baseline. `functions`: by name, the checksums
 * of the function files that it then has. `through`: where a database with fewer of them is brought to the last. `release`: the version that the baseline
 * came with.
 */
type Baseline = {
  file: string
  release: string
  replaces: string
  through: { tag: string; commit: string }
  functions: Record<string, string>
}

/** What a folder has: migrations in order, the function files, and the baseline, if its first migration is one. */
export type Migrations = {
  files: MigrationFile[]
  functions: FunctionFile[]
  baseline: (Baseline & { version: number }) | null
}

const FILE_NAME = /^(\d{4})-[a-z0-9][a-z0-9-]*\.sql$/

/** Reads a folder of migrations. Throws MigrationError for wrong or repeated numbers. */
export async function readMigrations(folder: string): Promise<Migrations> {
  const names = (await readdir(folder)).sort()
  const files: MigrationFile[] = []
  for (const name of names.filter((one) => one.endsWith('.sql'))) {
    const match = FILE_NAME.exec(name)
    if (!match) throw new MigrationError(`${join(folder, name)} is not named NNNN-name.sql`)
    const version = Number(match[1])
    if (files.at(-1)?.version === version) throw new MigrationError(`two migrations have the number ${match[1]}`)
    const sql = await readFile(join(folder, name), 'utf8')
    files.push({ version, name, checksum: checksumOf(sql), sql })
  }
  const functions = names.includes('functions') ? await readFunctionFiles(join(folder, 'functions')) : []
  if (!names.includes('baseline.json')) return { files, functions, baseline: null }
  const baseline = JSON.parse(await readFile(join(folder, 'baseline.json'), 'utf8')) as Baseline
  const [first] = files
  if (first?.name !== baseline.file) throw new MigrationError(`${baseline.file} is not the first migration`)
  return { files, functions, baseline: { ...baseline, version: first.version } }
}

/** Where a database stands: the rows that count as applied, and whether its list of migrations is to be replaced by the baseline. */
type Standing = { rows: AppliedRow[]; adopts: boolean }

/**
 * Compares what a database has applied with a folder. Throws MigrationError where a file has changed, is missing or comes too late, where the database is
 * newer, and where it is older than the baseline.
 */
export function compare({ files, baseline }: Migrations, applied: readonly AppliedRow[]): Standing {
  const standing = baseline ? standingTo(baseline, files, applied) : { rows: [...applied], adopts: false }
  requireMatch(files, standing.rows)
  return standing
}

function standingTo(
  baseline: Baseline & { version: number },
  files: readonly MigrationFile[],
  applied: readonly AppliedRow[],
): Standing {
  const before = applied.filter((row) => row.version <= baseline.version)
  const isNew = before.length === 0 || (before.length === 1 && before[0]?.name === baseline.file)
  if (isNew) return { rows: [...applied], adopts: false }
  if (checksumOf(before.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')) !== baseline.replaces) {
    throw new MigrationError(
      `the database is at migration ${before.at(-1)?.version}, from before version ${baseline.release}: start the version tagged ` +
        `${baseline.through.tag} (commit ${baseline.through.commit}) on it once, then this one. Nothing was changed`,
    )
  }
  const after = applied.filter((row) => row.version > baseline.version)
  return { rows: [...files.slice(0, 1), ...after], adopts: true }
}

function requireMatch(files: readonly MigrationFile[], rows: readonly AppliedRow[]): void {
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
  const late = pendingOf(files, rows).find((file) => file.version < last)
  if (late) throw new MigrationError(`the migration ${late.name} comes before version ${last}, which is applied`)
}

/** The files that a database lacks, in order. */
export function pendingOf(files: readonly MigrationFile[], rows: readonly AppliedRow[]): MigrationFile[] {
  const done = new Set(rows.map((row) => row.version))
  return files.filter(({ version }) => !done.has(version))
}

import { connectors, posters } from '@groundswell/connectors/index.ts'
import type pg from 'pg'
import { isApart, migrateFrom, recreateAtVersion, withLockedClient } from '../../platform/db/migrate.ts'
import { readMigrations } from '../../platform/db/migration-files.ts'
import { keyFrom, sealingKeyOf } from '../../platform/secrets/seal.ts'
import { allWorkspacesOf } from '../../platform/sweep/store.ts'
import { BackupEnd, BackupError, BackupHeader } from './format.ts'
import {
  advanceSequences,
  backedUpTables,
  enterWorkspace,
  holdsAccounts,
  isBadRow,
  leftOutTables,
  lockAccounts,
  markWithoutSecrets,
  newestMigration,
  productTables,
  requireOwner,
  writeRows,
} from './store.ts'

/**
 * What was restored. `waiting`: connections that must be connected again. `key`: the sealing key, if the file has it. `secrets`: whether the
 * file had any, and whether they were restored. Those are left out whose key neither the file nor this installation has.
 */
export type Restored = {
  rows: number
  waiting: number
  key: Buffer | null
  secrets: 'none' | 'restored' | 'partly sealed with another key' | 'sealed with another key'
}

type RestoreOptions = {
  /** The folder of migrations. */
  migrations: string
  /** Receives the sealing key before the rows are committed, so that secrets are never without it. */
  keep: (key: Buffer) => Promise<void>
  /** Whether this installation has the sealing key with that id. */
  hasKey: (id: string) => boolean
}

/** Rows of one statement, as JSON. Large enough that a slow connection does not wait for each row. */
const BATCH_CHARACTERS = 256 * 1024

/** The connectors that do not work without sealed secrets. */
const withSecrets = [...connectors, ...posters]
  .filter(({ manifest, oauth }) => manifest.secretFields.length > 0 || oauth)
  .map(({ manifest }) => manifest.id)

/**
 * Restores a backup into an installation that has no account yet. All or nothing: a file that is truncated, or not ours,
 * changes nothing. Waits for sign-ups that have begun; those that begin meanwhile wait for it. A backup of an earlier
 * version is restored into the tables of that version, which are then migrated, all in one transaction; one from before the baseline is refused.
 */
export async function restoreBackup(
  ownerUrl: string,
  lines: AsyncIterable<string>,
  options: RestoreOptions,
): Promise<Restored> {
  return withLockedClient(
    ownerUrl,
    async (client) => {
      await requireOwner(client)
      await client.query('begin')
      await lockAccounts(client)
      if (await holdsAccounts(client)) {
        throw new BackupError(
          'This installation already has accounts. Restore into an empty one (another GROUNDSWELL_DATA).',
        )
      }
      const { header, rows } = await writeLines(client, lines, options)
      await advanceSequences(client)
      const waiting = await waitForSecrets(client, header.secrets ? rows.sealedApart : null)
      if (header.key) await options.keep(header.key)
      await client.query('commit')
      return { rows: rows.count, waiting, key: header.key, secrets: header.secrets ? rows.secrets() : 'none' }
    },
    'groundswell restore',
  )
}

/** Which secrets can be opened after the restore, by the id of their key; null for the key that the header names. */
function openable({ key, sealed_with }: BackupHeader, { hasKey }: RestoreOptions): (keyId: string | null) => boolean {
  const own = key === null ? null : keyFrom(key).id
  return (keyId) => {
    const id = keyId ?? own ?? sealed_with
    return id !== undefined && (id === own || hasKey(id))
  }
}

/** Has connections wait to be connected again: those with these ids, by workspace; null: all that need secrets. Returns how many there are. */
async function waitForSecrets(client: pg.Client, ids: ReadonlyMap<string, readonly string[]> | null): Promise<number> {
  let waiting = 0
  for (const workspaceId of ids?.keys() ?? (await allWorkspacesOf(client))) {
    await enterWorkspace(client, workspaceId)
    waiting += await markWithoutSecrets(client, workspaceId, withSecrets, ids?.get(workspaceId) ?? null)
  }
  return waiting
}

async function writeLines(
  client: pg.Client,
  lines: AsyncIterable<string>,
  options: RestoreOptions,
): Promise<{ header: BackupHeader; rows: RowWriter }> {
  const { migrations } = options
  const newest = await newestMigration(client)
  const apart = await isApart(client)
  let header: BackupHeader | null = null
  let rows: RowWriter | null = null
  let ended = false
  for await (const line of lines) {
    if (line === '') continue
    const value = parseLine(line)
    if (!header || !rows) {
      if (value === null) throw notBackup()
      header = parseHeader(value)
      await prepareTables(client, header.migration, newest, migrations)
      rows = new RowWriter(client, await restorableTables(client), openable(header, options))
      continue
    }
    if (value === null) throw new BackupError(`The backup is truncated or damaged after ${rows.count} rows.`)
    const end = BackupEnd.safeParse(value)
    if (!end.success) {
      await rows.add(value)
      continue
    }
    if (end.data.rows !== rows.count) {
      throw new BackupError(`The backup names ${end.data.rows} rows but holds ${rows.count}.`)
    }
    ended = true
  }
  if (!header || !rows) throw new BackupError('The file is empty.')
  if (!ended) throw new BackupError('The backup is truncated: its last line is missing.')
  await rows.flush()
  if (header.migration < newest) await migrateFrom(client, migrations, header.migration, { apart })
  return { header, rows }
}

/** The tables as they were at the backup's version. */
async function prepareTables(client: pg.Client, version: number, newest: number, migrations: string): Promise<void> {
  if (version > newest) {
    throw new BackupError(
      `The backup was made by a newer version (migration ${version}; this one is at ${newest}). Restore it with that version.`,
    )
  }
  const { baseline } = await readMigrations(migrations)
  if (baseline && version < baseline.version) {
    throw new BackupError(
      `The backup was made before version ${baseline.release} (migration ${version}). Restore it with the version tagged ` +
        `${baseline.through.tag} (commit ${baseline.through.commit}), make a backup there, and restore that one.`,
    )
  }
  if (version < newest && !(await recreateAtVersion(client, migrations, version))) {
    throw new BackupError(`The backup names the migration ${version}, which no version has had.`)
  }
}

async function restorableTables(client: pg.Client): Promise<ReadonlySet<string>> {
  const leftOut = new Set(leftOutTables)
  return new Set((await productTables(client)).filter((table) => !leftOut.has(table)))
}

const sealedColumns: ReadonlyMap<string, readonly string[]> = new Map(
  backedUpTables.map(({ table, withheld }) => [table, withheld]),
)

/** Writes rows in batches of one table and workspace, without the secrets that cannot be opened. */
class RowWriter {
  count = 0
  /** The ids of connections whose secrets were left out, by workspace. */
  readonly sealedApart = new Map<string, string[]>()
  readonly #client: pg.Client
  readonly #tables: ReadonlySet<string>
  readonly #opens: (keyId: string | null) => boolean
  readonly #secrets = { opened: 0, leftOut: 0 }
  #batch: { table: string; workspaceId: string | null; rows: string[]; size: number } | null = null
  #entered: string | null = null

  /** `opens`: whether secrets can be opened that were sealed with the key of this id; null: with the one that the backup names. */
  constructor(client: pg.Client, tables: ReadonlySet<string>, opens: (keyId: string | null) => boolean) {
    this.#client = client
    this.#tables = tables
    this.#opens = opens
  }

  /** What became of the secrets. Without any, it is said of the key that the backup names. */
  secrets(): Restored['secrets'] {
    const { opened, leftOut } = this.#secrets
    if (leftOut > 0) return opened > 0 ? 'partly sealed with another key' : 'sealed with another key'
    return opened > 0 || this.#opens(null) ? 'restored' : 'sealed with another key'
  }

  /** A line of a backup: `{"table":[row]}`. */
  async add(line: Record<string, unknown>): Promise<void> {
    const [table = '', list] = Object.entries(line)[0] ?? []
    const row: unknown = Array.isArray(list) ? list[0] : undefined
    if (!this.#tables.has(table) || typeof row !== 'object' || row === null) {
      throw new BackupError('The backup holds a line that is not a row.')
    }
    const workspaceId = 'workspace_id' in row && typeof row.workspace_id === 'string' ? row.workspace_id : null
    const batch = this.#batch
    if (batch && (batch.table !== table || batch.workspaceId !== workspaceId || batch.size >= BATCH_CHARACTERS)) {
      await this.flush()
    }
    this.#batch ??= { table, workspaceId, rows: [], size: 0 }
    const text = JSON.stringify(this.#withoutSealedApart(table, row as Record<string, unknown>))
    this.#batch.rows.push(text)
    this.#batch.size += text.length
    this.count += 1
  }

  #withoutSealedApart(table: string, row: Record<string, unknown>): Record<string, unknown> {
    const kept = { ...row }
    for (const column of sealedColumns.get(table) ?? []) {
      const sealed = row[column]
      if (typeof sealed !== 'string') continue
      if (this.#opens(sealingKeyOf(sealed))) {
        this.#secrets.opened += 1
        continue
      }
      this.#secrets.leftOut += 1
      delete kept[column]
      if (table !== 'connection') continue
      const workspaceId = String(row.workspace_id)
      this.sealedApart.set(workspaceId, [...(this.sealedApart.get(workspaceId) ?? []), String(row.id)])
    }
    return kept
  }

  async flush(): Promise<void> {
    const batch = this.#batch
    if (!batch) return
    this.#batch = null
    try {
      if (batch.workspaceId && batch.workspaceId !== this.#entered) {
        await enterWorkspace(this.#client, batch.workspaceId)
        this.#entered = batch.workspaceId
      }
      await writeRows(this.#client, batch.table, batch.rows)
    } catch (error) {
      if (!isBadRow(error)) throw error
      throw new BackupError(`The backup is damaged: rows of ${batch.table} do not fit together.`, { cause: error })
    }
  }
}

/** A line's value; null when it is not ours. */
function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function parseHeader(value: unknown): BackupHeader {
  const parsed = BackupHeader.safeParse(value)
  if (!parsed.success) throw notBackup()
  return parsed.data
}

function notBackup(): BackupError {
  return new BackupError('This file is not a Groundswell backup.')
}

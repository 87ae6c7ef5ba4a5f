import { connectors } from '@groundswell/connectors/index.ts'
import type pg from 'pg'
import { migrateFrom, recreateAtVersion, withLockedClient } from '../../platform/db/migrate.ts'
import { allWorkspacesOf } from '../../platform/sweep/store.ts'
import { BackupEnd, BackupError, BackupHeader } from './format.ts'
import {
  advanceSequences,
  enterWorkspace,
  holdsAccounts,
  isBadRow,
  leftOutTables,
  markWithoutSecrets,
  newestMigration,
  productTables,
  requireOwner,
  writeRows,
} from './store.ts'

/** What was restored. `waiting`: connections that must be connected again. `key`: the sealing key, if the file has it. */
export type Restored = { rows: number; waiting: number; key: Buffer | null }

/** Rows of one statement, as JSON. Large enough that a slow connection does not wait for each row. */
const BATCH_CHARACTERS = 256 * 1024

/** The connectors that do not work without sealed secrets. */
const withSecrets = connectors
  .filter(({ manifest, oauth }) => manifest.secretFields.length > 0 || oauth)
  .map(({ manifest }) => manifest.id)

/**
 * Restores a backup into an installation that has no account yet. All or nothing: a file that is truncated, or not ours,
 * changes nothing. A backup of an earlier version is restored into the tables of that version, which are then migrated, all in one
 * transaction. `keep` receives the sealing key before the rows are committed, so that secrets are never without it.
 */
export async function restoreBackup(
  ownerUrl: string,
  lines: AsyncIterable<string>,
  options: { migrations: string; keep: (key: Buffer) => Promise<void> },
): Promise<Restored> {
  return withLockedClient(
    ownerUrl,
    async (client) => {
      await requireOwner(client)
      await client.query('begin')
      if (await holdsAccounts(client)) {
        throw new BackupError(
          'This installation already has accounts. Restore into an empty one (another GROUNDSWELL_DATA).',
        )
      }
      const { header, rows } = await writeLines(client, lines, options.migrations)
      await advanceSequences(client)
      const waiting = header.secrets ? 0 : await waitForSecrets(client)
      const key = header.key === null ? null : Buffer.from(header.key, 'base64')
      if (key) await options.keep(key)
      await client.query('commit')
      return { rows, waiting, key }
    },
    'groundswell restore',
  )
}

async function waitForSecrets(client: pg.Client): Promise<number> {
  let waiting = 0
  for (const workspaceId of await allWorkspacesOf(client)) {
    await enterWorkspace(client, workspaceId)
    waiting += await markWithoutSecrets(client, workspaceId, withSecrets)
  }
  return waiting
}

async function writeLines(
  client: pg.Client,
  lines: AsyncIterable<string>,
  migrations: string,
): Promise<{ header: BackupHeader; rows: number }> {
  const newest = await newestMigration(client)
  let header: BackupHeader | null = null
  let rows: RowWriter | null = null
  let ended = false
  for await (const line of lines) {
    if (line === '') continue
    const value = parseLine(line)
    if (!header || !rows) {
      header = parseHeader(value)
      await prepareTables(client, header.migration, newest, migrations)
      rows = new RowWriter(client, await restorableTables(client))
      continue
    }
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
  if (header.migration < newest) await migrateFrom(client, migrations, header.migration)
  return { header, rows: rows.count }
}

/** The tables as they were at the backup's version. */
async function prepareTables(client: pg.Client, version: number, newest: number, migrations: string): Promise<void> {
  if (version > newest) {
    throw new BackupError(
      `The backup was made by a newer version (migration ${version}; this one is at ${newest}). Restore it with that version.`,
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

/** Writes rows in batches of one table and workspace. */
class RowWriter {
  count = 0
  readonly #client: pg.Client
  readonly #tables: ReadonlySet<string>
  #batch: { table: string; workspaceId: string | null; rows: string[]; size: number } | null = null
  #entered: string | null = null

  constructor(client: pg.Client, tables: ReadonlySet<string>) {
    this.#client = client
    this.#tables = tables
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
    const text = JSON.stringify(row)
    this.#batch.rows.push(text)
    this.#batch.size += text.length
    this.count += 1
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

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Falls through to the message for any line that is not ours.
  }
  throw new BackupError('This file is not a Groundswell backup.')
}

function parseHeader(value: unknown): BackupHeader {
  const parsed = BackupHeader.safeParse(value)
  if (!parsed.success) throw new BackupError('This file is not a Groundswell backup.')
  return parsed.data
}

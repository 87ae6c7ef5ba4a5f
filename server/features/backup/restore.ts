import { connectors } from '@groundswell/connectors/index.ts'
import pg from 'pg'
import { allWorkspacesOf } from '../../platform/sweep/store.ts'
import { BackupEnd, BackupError, BackupHeader } from './format.ts'
import {
  advanceSequences,
  backedUpTables,
  enterWorkspace,
  holdsAccounts,
  isBadRow,
  markWithoutSecrets,
  newestMigration,
  requireOwner,
  writeRows,
} from './store.ts'

/** What was restored. `waiting`: connections that must be connected again. `key`: the sealing key, if the file has it. */
export type Restored = { rows: number; waiting: number; key: Buffer | null }

const BATCH = 200

/** The connectors that do not work without sealed secrets. */
const withSecrets = connectors
  .filter(({ manifest, oauth }) => manifest.secretFields.length > 0 || oauth)
  .map(({ manifest }) => manifest.id)

/**
 * Restores a backup into an installation that has no account yet. All or nothing: a file that is truncated, or not ours,
 * changes nothing. `keep` receives the sealing key before the rows are committed, so that secrets are never without it.
 */
export async function restoreBackup(
  ownerUrl: string,
  lines: AsyncIterable<string>,
  keep: (key: Buffer) => Promise<void>,
): Promise<Restored> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'groundswell restore' })
  await client.connect()
  try {
    await requireOwner(client)
    await client.query('begin')
    if (await holdsAccounts(client)) {
      throw new BackupError(
        'This installation already has accounts. Restore into an empty one (another GROUNDSWELL_DATA).',
      )
    }
    const { header, rows } = await writeLines(client, lines)
    await advanceSequences(client)
    let waiting = 0
    if (!header.secrets) {
      for (const workspaceId of await allWorkspacesOf(client)) {
        await enterWorkspace(client, workspaceId)
        waiting += await markWithoutSecrets(client, workspaceId, withSecrets)
      }
    }
    const key = header.key === null ? null : Buffer.from(header.key, 'base64')
    if (key) await keep(key)
    await client.query('commit')
    return { rows, waiting, key }
  } finally {
    await client.end()
  }
}

async function writeLines(
  client: pg.Client,
  lines: AsyncIterable<string>,
): Promise<{ header: BackupHeader; rows: number }> {
  const known = new Map(backedUpTables.map((entry) => [entry.table, entry]))
  let header: BackupHeader | null = null
  let ended = false
  let rows = 0
  let batch: { table: string; workspaceId: string | null; rows: string[] } | null = null
  const flush = async () => {
    if (!batch || batch.rows.length === 0) return
    if (batch.workspaceId) await enterWorkspace(client, batch.workspaceId)
    const { table, rows: written } = batch
    batch = null
    await writeRows(client, table, written).catch((error: unknown) => {
      if (!isBadRow(error)) throw error
      throw new BackupError(`The backup is damaged: rows of ${table} do not fit together.`, { cause: error })
    })
  }
  for await (const line of lines) {
    if (line === '') continue
    const value = parseLine(line)
    if (!header) {
      header = await checkHeader(client, value)
      continue
    }
    const end = BackupEnd.safeParse(value)
    if (end.success) {
      if (end.data.rows !== rows) throw new BackupError(`The backup names ${end.data.rows} rows but holds ${rows}.`)
      ended = true
      continue
    }
    const [table, list] = Object.entries(value)[0] ?? []
    const entry = table === undefined ? undefined : known.get(table)
    const row: unknown = Array.isArray(list) ? list[0] : undefined
    if (!entry || typeof row !== 'object' || row === null)
      throw new BackupError('The backup holds a line that is not a row.')
    const workspaceId = entry.tenant && 'workspace_id' in row ? String(row.workspace_id) : null
    if (batch && (batch.table !== entry.table || batch.workspaceId !== workspaceId || batch.rows.length >= BATCH))
      await flush()
    batch ??= { table: entry.table, workspaceId, rows: [] }
    batch.rows.push(JSON.stringify(row))
    rows += 1
  }
  await flush()
  if (!header) throw new BackupError('The file is empty.')
  if (!ended) throw new BackupError('The backup is truncated: its last line is missing.')
  return { header, rows }
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

async function checkHeader(client: pg.Client, value: unknown): Promise<BackupHeader> {
  const parsed = BackupHeader.safeParse(value)
  if (!parsed.success) throw new BackupError('This file is not a Groundswell backup.')
  const migration = await newestMigration(client)
  if (parsed.data.migration !== migration) {
    throw new BackupError(
      `The backup was made at migration ${parsed.data.migration}, this version is at ${migration}. Restore with the version that made it, then update.`,
    )
  }
  return parsed.data
}

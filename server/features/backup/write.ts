import { setPriority } from 'node:os'
import type { z } from 'zod'
import { openClient } from '../../platform/db/guarded-client.ts'
import { LONG } from '../../platform/db/limits.ts'
import { sealingKeyOf } from '../../platform/secrets/seal.ts'
import { allWorkspacesOf } from '../../platform/sweep/store.ts'
import { BackupError, type BackupHeader } from './format.ts'
import { backedUpTables, backendOf, enterWorkspace, newestMigration, readTable, requireOwner } from './store.ts'

type BackupOptions = {
  /** Set: secrets of connections go into the file together with this sealing key. */
  key: Buffer | null
  /** Set: they go into the file without the key, for an installation that has the key with this id. */
  sealedWith?: string
  now: Date
  /** Called for each secret in the file, with the id of the key that it was sealed with. */
  onSecret?: (keyId: string) => void
  /** The priority (0 to 19, the lowest) of the server's process that reads the rows; only on the private server. */
  priority?: number
}

/**
 * A whole installation as lines of JSON: a header, one `{"table":[row]}` per row, an end line with the count. All of it is read
 * in one transaction, so it is a consistent snapshot however long it takes.
 */
export async function* writeBackup(ownerUrl: string, options: BackupOptions): AsyncGenerator<string> {
  const client = await openClient(ownerUrl, 'groundswell backup', LONG)
  try {
    await requireOwner(client)
    if (options.priority !== undefined) lowerPriority(await backendOf(client), options.priority)
    const secrets = options.key !== null || options.sealedWith !== undefined
    await client.query('begin transaction isolation level repeatable read read only')
    const migration = await newestMigration(client)
    if (migration === 0) throw new BackupError('There is nothing to back up: this database holds no Groundswell.')
    const header: z.input<typeof BackupHeader> = {
      groundswell_backup: 1,
      migration: String(migration),
      created_at: options.now.toISOString(),
      secrets,
      key: options.key?.toString('base64') ?? null,
      ...(options.sealedWith === undefined ? {} : { sealed_with: options.sealedWith }),
    }
    yield `${JSON.stringify(header)}\n`
    let rows = 0
    const workspaces = await allWorkspacesOf(client)
    for (const entry of backedUpTables) {
      for (const workspaceId of entry.tenant ? workspaces : [null]) {
        if (workspaceId) await enterWorkspace(client, workspaceId)
        for await (const row of readTable(client, entry, workspaceId, secrets)) {
          yield `{"${entry.table}":[${row}]}\n`
          rows += 1
          if (secrets && options.onSecret) keysOf(row, entry.withheld).forEach(options.onSecret)
        }
      }
    }
    yield `${JSON.stringify({ end: true, rows })}\n`
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** The ids of the keys that these columns of a row, as JSON, were sealed with. */
function keysOf(row: string, columns: readonly string[]): string[] {
  if (columns.length === 0) return []
  const fields = JSON.parse(row) as Record<string, unknown>
  return columns.flatMap((column) => {
    const value = fields[column]
    return (typeof value === 'string' ? sealingKeyOf(value) : null) ?? []
  })
}

/** Root and the server's own user may; for anyone else the backup has the usual priority. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // Not permitted: a backup at the usual priority is better than none.
  }
}

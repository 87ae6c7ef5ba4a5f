import { connectorById } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type pg from 'pg'
import { openClient } from '../../../platform/db/guarded-client.ts'
import type { Limits } from '../../../platform/db/limits.ts'
import type { Caller } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { enterWorkspace, newestMigration, readTable } from '../store.ts'
import { beginSnapshot, claimExport, isOwner, memberRows } from './export-store.ts'
import { exportedTables } from './tables.ts'

/** A client that accepts nothing for a minute loses its connection: until then it holds one to the database, and its snapshot. */
const LIMITS: Limits = { statement: 60_000, lock: 15_000, idle: 60_000, silence: 75_000 }

/** How many characters are handed on at once. */
const BLOCK_CHARACTERS = 64 * 1024

/** The lines of an export, in blocks, and what ends it: to be called once, whether they were read or not. */
type Export = { blocks: AsyncGenerator<string>; close: () => Promise<void> }

/**
 * Everything in the caller's workspace as lines of JSON: a header, one `{"table", "row"}` per row, and an end line with the count. All of it is read in
 * one transaction, as the app's role, and as it is consumed: it is one state of the workspace, and never in memory as a whole. Throws a
 * ContractError before the first line.
 */
export async function openExport(services: Services, caller: Caller): Promise<Export> {
  const { workspaceId } = caller
  const client = await openClient(services.db.appUrl, 'groundswell export', LIMITS)
  const close = () => client.end().catch(() => undefined)
  try {
    await beginSnapshot(client)
    await enterWorkspace(client, workspaceId)
    if (!(await isOwner(client, workspaceId, caller.accountId)))
      throw new ContractError('forbidden', 'Only an owner of the workspace can export it')
    const claimed = await claimExport(client, workspaceId)
    if (claimed === 'running') throw new ContractError('conflict', 'An export of this workspace is already running')
    if (claimed === 'full') throw new ContractError('too_many_requests', 'Other exports are running: try again later')
    const header = {
      groundswell_export: 1,
      migration: await newestMigration(client),
      exported_at: services.now().toISOString(),
      workspace_id: workspaceId,
    }
    return { blocks: blocks(lines(client, header)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function* lines(client: pg.Client, header: { workspace_id: string }): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`
  let rows = 0
  for (const entry of exportedTables) {
    for await (const row of rowsOf(client, entry, header.workspace_id)) {
      yield `{"table":"${entry.table}","row":${row}}\n`
      rows += 1
    }
  }
  yield `${JSON.stringify({ end: true, rows })}\n`
}

async function* rowsOf(
  client: pg.Client,
  entry: (typeof exportedTables)[number],
  workspaceId: string,
): AsyncGenerator<string> {
  if (entry.table === 'member') yield* await memberRows(client, workspaceId)
  else {
    for await (const row of readTable(client, entry, workspaceId, false)) {
      yield entry.table === 'connection' ? withoutSecretSettings(row) : row
    }
  }
}

/** An earlier version stored secrets among the settings; one of a connector that is gone is not known to be none. */
function withoutSecretSettings(row: string): string {
  const connection = JSON.parse(row) as { connector: string; settings: Record<string, unknown> }
  const manifest = connectorById(connection.connector)?.manifest
  const open = ([name]: [string, unknown]) => manifest && !manifest.secretFields.includes(name)
  return JSON.stringify({
    ...connection,
    settings: Object.fromEntries(Object.entries(connection.settings).filter(open)),
  })
}

/** Joins lines into larger pieces: each has its own cost in the compressor. */
async function* blocks(source: AsyncIterable<string>): AsyncGenerator<string> {
  let block = ''
  for await (const line of source) {
    block += line
    if (block.length < BLOCK_CHARACTERS) continue
    yield block
    block = ''
  }
  yield block
}

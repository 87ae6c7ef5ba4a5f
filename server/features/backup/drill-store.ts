import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openClient } from '../../platform/db/guarded-client.ts'
import { LONG } from '../../platform/db/limits.ts'
import { errorCode } from '../../platform/db/retry.ts'
import { allWorkspacesOf } from '../../platform/sweep/store.ts'
import { BackupError } from './format.ts'
import { backedUpTables, enterWorkspace } from './store.ts'

/** Any fixed number: it names the lock of the drill that runs on this database. */
const DRILL_LOCK = 7_236_410_918

/** Creates a database on the owner's server for `work`, and drops it afterwards, along with those that killed drills left. */
export async function withTemporaryDatabase<T>(ownerUrl: string, work: (name: string) => Promise<T>): Promise<T> {
  const client = await openClient(ownerUrl, 'groundswell drill', LONG)
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [DRILL_LOCK])
    if (!rows[0]?.held) throw new BackupError('Another drill is running: wait until it has ended.')
    await dropLeftovers(client)
    const name = `${await prefixOf(client)}_${randomBytes(6).toString('hex')}`
    await create(client, name)
    try {
      return await work(name)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function create(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
  } catch (error) {
    if (errorCode(error) !== '42501') throw error
    throw new BackupError(
      'The owner of the tables may not create a database for the drill: run "alter role … createdb" as an administrator of the server.',
      { cause: error },
    )
  }
}

async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database
      where starts_with(datname, $1 || '_') and pg_has_role(current_user, datdba, 'usage')`,
    [await prefixOf(client)],
  )
  for (const { name } of rows)
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
}

/** Names the installation's own database by its number: a server may hold several installations, each with its own drills. */
async function prefixOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ prefix: string }>(
    `select 'groundswell_drill_' || oid as prefix from pg_database where datname = current_database()`,
  )
  return rows[0]?.prefix ?? 'groundswell_drill'
}

/** The rows of every table that a backup holds, counted by workspace where row-level security applies to the owner too. */
export async function countStored(ownerUrl: string): Promise<{ rows: number; tables: number }> {
  const client = await openClient(ownerUrl, 'groundswell drill', LONG)
  try {
    await client.query('begin read only')
    const workspaces = await allWorkspacesOf(client)
    let [rows, tables] = [0, 0]
    for (const { table, tenant } of backedUpTables) {
      let found = 0
      for (const workspaceId of tenant ? workspaces : [null]) {
        if (workspaceId) await enterWorkspace(client, workspaceId)
        const where = tenant ? 'where workspace_id = $1' : ''
        const counted = await client.query<{ n: number }>(
          `select count(*)::float8 as n from ${table} ${where}`,
          tenant ? [workspaceId] : [],
        )
        found += counted.rows[0]?.n ?? 0
      }
      rows += found
      if (found > 0) tables += 1
    }
    return { rows, tables }
  } finally {
    await client.end()
  }
}

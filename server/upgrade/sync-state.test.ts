import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valueTypes, withDatabase } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { withoutWorkspace } from '../platform/db/tenant.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')
/** Owns the tables without being a superuser, as on a hosted server: row-level security applies to it too. */
const OWNER = `groundswell_sync_state_${process.pid}`
const MOVED_AT = new Date('2026-11-01T10:00:00Z')
const WAITING_UNTIL = new Date('2026-11-01T10:05:00Z')
const SYNCED_AT = new Date('2026-11-01T09:00:00Z')

const workspaces = [randomUUID(), randomUUID()] as const
const CURSOR = { version: 1, channels: { C1: { newest: '17.000100' } } }
/** Connections as the version before had them, by name; each with the state of its sync now, or null where it has none. */
const earlier: Record<string, { row: Record<string, unknown>; state: Record<string, unknown> | null }> = {
  idle: {
    row: {
      connector: 'slack',
      account: 'T1',
      cursor: CURSOR,
      sync_step: 12,
      read_count: 90,
      total_count: 91,
      incomplete: 'The app is not in #general',
      sync_moved_at: MOVED_AT,
      last_sync_at: SYNCED_AT,
    },
    state: {
      status: 'idle',
      cursor: CURSOR,
      step: 12,
      read_count: 90,
      total_count: 91,
      incomplete: 'The app is not in #general',
      moved_at: MOVED_AT,
      waiting_until: null,
      last_sync_at: SYNCED_AT,
    },
  },
  syncing: {
    row: {
      connector: 'slack',
      account: 'T2',
      status: 'syncing',
      cursor: CURSOR,
      sync_step: 3,
      read_count: 8,
      sync_moved_at: MOVED_AT,
      waiting_until: WAITING_UNTIL,
    },
    state: {
      status: 'syncing',
      cursor: CURSOR,
      step: 3,
      read_count: 8,
      total_count: null,
      incomplete: null,
      moved_at: MOVED_AT,
      waiting_until: WAITING_UNTIL,
      last_sync_at: null,
    },
  },
  'signed out': {
    row: { connector: 'slack', account: 'T3', status: 'syncing', signed_out: true, sync_moved_at: MOVED_AT },
    state: expect.objectContaining({ status: 'stopped', cursor: null, step: 0 }),
  },
  disconnected: {
    row: { connector: 'slack', account: 'T4', cursor: CURSOR, sync_moved_at: MOVED_AT, disconnected_at: SYNCED_AT },
    state: expect.objectContaining({ status: 'stopped', cursor: CURSOR }),
  },
  destination: { row: { connector: 'webhook', error: 'It answered 500' }, state: null },
}

let empty: string
let before: string
let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  empty = await mkdtemp(path.join(tmpdir(), 'groundswell-empty-'))
  before = await mkdtemp(path.join(tmpdir(), 'groundswell-before-sync-state-'))
  for (const name of await readdir(migrations)) {
    if (name < '0017') await cp(path.join(migrations, name), path.join(before, name))
  }
  database = await testDatabase({ migrations: empty })
  admin = new pg.Client({ connectionString: database.ownerUrl, types: valueTypes })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>('select current_database() as name')
  await admin.query(`
    drop table migration;
    create role ${OWNER} nologin;
    grant groundswell_app to ${OWNER};
    alter database ${rows[0]?.name} owner to ${OWNER};
    grant all on schema public to ${OWNER} with grant option`)
  const options = encodeURIComponent(`-c role=${OWNER}`)
  const ownerUrl = `${database.ownerUrl}${database.ownerUrl.includes('?') ? '&' : '?'}options=${options}`
  await migrate(ownerUrl, before)
  for (const workspace of workspaces) {
    await admin.query(`insert into workspace (workspace_id, name) values ($1, 'w')`, [workspace])
    for (const [name, { row }] of Object.entries(earlier)) {
      const columns = Object.keys(row)
      await admin.query(
        `insert into connection (workspace_id, name, ${columns.join(', ')})
         values ($1, $2, ${columns.map((_, at) => `$${at + 3}`).join(', ')})`,
        [workspace, name, ...Object.values(row)],
      )
    }
  }
  await migrate(ownerUrl, migrations)
})
afterAll(async () => {
  await admin?.end()
  await database?.cleanup()
  const last = new pg.Client({ connectionString: withDatabase(database.ownerUrl, 'postgres') })
  await last.connect()
  await last.query(`drop role if exists ${OWNER}`)
  await last.end()
  for (const folder of [empty, before]) await rm(folder, { recursive: true })
})

it.each(Object.entries(earlier))('%s: the sync keeps where it stood, in every workspace', async (name, { state }) => {
  for (const workspace of workspaces) {
    const { rows } = await admin.query(
      `select sync.status, cursor, step, read_count, total_count, incomplete, moved_at, waiting_until, last_sync_at
       from sync_state sync join connection c on c.workspace_id = sync.workspace_id and c.id = sync.connection_id
       where c.workspace_id = $1 and c.name = $2`,
      [workspace, name],
    )
    expect(rows).toEqual(state === null ? [] : [state])
  }
})

it('what is not of the sync stays in the connection', async () => {
  const { rows } = await admin.query(
    `select name, account, error, signed_out from connection where workspace_id = $1 order by name`,
    [workspaces[0]],
  )
  expect(rows).toEqual([
    { name: 'destination', account: null, error: 'It answered 500', signed_out: false },
    { name: 'disconnected', account: 'T4', error: null, signed_out: false },
    { name: 'idle', account: 'T1', error: null, signed_out: false },
    { name: 'signed out', account: 'T3', error: null, signed_out: true },
    { name: 'syncing', account: 'T2', error: null, signed_out: false },
  ])
})

describe('the sweep', () => {
  const found = (stalledBefore: Date, dueBefore: Date, pulled = ['slack']) =>
    withoutWorkspace(database.db, async (tx) => {
      const old = new Date(0)
      const { rows } = await sql<{ id: string }>`
        select workspaces_to_sync(${pulled}::text[], ${stalledBefore}, ${dueBefore}, ${old}, ${old}, ${old}, ${old}) as id`.execute(
        tx,
      )
      return rows.map(({ id }) => id).sort()
    })
  const after = (time: Date) => new Date(time.getTime() + 1)
  const all = [...workspaces].sort()

  it('finds, as an app that sees no rows, the workspaces whose sync stands still', async () => {
    expect(await found(after(WAITING_UNTIL), MOVED_AT)).toEqual(all)
  })

  it('finds those with a due sync of a connector that is pulled', async () => {
    expect(await found(WAITING_UNTIL, after(MOVED_AT))).toEqual(all)
    expect(await found(WAITING_UNTIL, after(MOVED_AT), ['webhook'])).toEqual([])
  })

  it('finds none for syncs that wait, are not due, or were stopped', async () => {
    expect(await found(WAITING_UNTIL, MOVED_AT)).toEqual([])
  })
})

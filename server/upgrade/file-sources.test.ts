import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImport, runImport } from '../features/feedback/index.ts'
import { valueTypes } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'
import type { Services } from '../platform/services.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')
const workspace = randomUUID()
const connection = randomUUID()

let folder: string
let database: TestDatabase
let owner: pg.Client

/** Imports from before each file had a source: what each added, and how many rows were known. */
const earlier = [
  { name: 'january.csv', bytes: 100, ids: ['1', '2', '3'], known: 0 },
  { name: 'february.csv', bytes: 200, ids: ['4'], known: 2 },
  { name: 'march.csv', bytes: 300, ids: ['5', '6'], known: 0 },
  { name: 'march.csv', bytes: 300, ids: [], known: 2 },
  { name: 'march.csv', bytes: 310, ids: ['7'], known: 0 },
]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-before-sources-'))
  for (const name of await readdir(migrations)) {
    if (name < '0010') await cp(path.join(migrations, name), path.join(folder, name))
  }
  database = await testDatabase({ migrations: folder })
  owner = new pg.Client({ connectionString: database.ownerUrl, types: valueTypes })
  await owner.connect()
  await owner.query(`select set_config('groundswell.workspace', $1, false)`, [workspace])
  await owner.query(`insert into workspace (workspace_id, name) values ($1, 'w')`, [workspace])
  await owner.query(`insert into connection (workspace_id, id, connector) values ($1, $2, 'file')`, [
    workspace,
    connection,
  ])
  for (const [at, { name, bytes, ids, known }] of earlier.entries()) {
    const { rows } = await owner.query<{ id: number }>(
      `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
       select $1, $2, id, 'text ' || id, now() from unnest($3::text[]) as id returning id`,
      [workspace, connection, ids],
    )
    await owner.query(
      `insert into import (workspace_id, connection_id, name, bytes, options, state, added, known, first_item, last_item, started_at)
       values ($1, $2, $3, $4, '{"file": {}, "uploaded": true}', 'done', $5, $6, $7, $8, $9)`,
      [
        workspace,
        connection,
        name,
        bytes,
        ids.length,
        known,
        rows[0]?.id ?? null,
        rows.at(-1)?.id ?? null,
        new Date(Date.UTC(2026, at, 1)),
      ],
    )
  }
  await migrate(database.ownerUrl, migrations)
})
afterAll(async () => {
  await owner.end()
  await database.cleanup()
  await rm(folder, { recursive: true })
})

const sources = async () => {
  const { rows } = await owner.query<{ name: string; ids: string[]; imports: number }>(
    `select name, (select coalesce(array_agg(external_id order by id), '{}') from feedback_item item
        where item.connection_id = c.id) as ids,
      (select count(*) from import where import.connection_id = c.id) as imports
     from connection c where workspace_id = $1 order by created_at, name`,
    [workspace],
  )
  return rows.map(({ name, ids, imports }) => [name, ids.join(' '), imports])
}

describe('imports from before each file was a source', () => {
  it('become one source each, but for those that may share rows; no message changes its ids', async () => {
    expect((await sources()).sort(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      ['Earlier imports', '1 2 3 4', 2],
      ['march.csv', '5 6', 2],
      ['march.csv (2)', '7', 1],
    ])
    const { rows } = await owner.query('select id, external_id from feedback_item order by id')
    expect(rows.map((row) => row.external_id)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    const own = await owner.query(
      `select import.name, count(*) as items from import_row r join import on import.id = r.import_id group by 1 order by 1`,
    )
    expect(own.rows).toEqual([
      { name: 'february.csv', items: 1 },
      { name: 'january.csv', items: 3 },
      { name: 'march.csv', items: 3 },
    ])
  })

  it('add nothing when the same file comes again', async () => {
    const file = 'id,text\n5,text 5\n6,text 6\n'
    await owner.query(`update import set bytes = $1 where bytes = 300`, [file.length])
    const services = { db: database.db, now: () => new Date(), queue: null, log: null } as unknown as Services
    const bytes = (async function* () {
      yield Buffer.from(file)
    })()
    const { id } = await createImport(services, workspace, { name: 'march.csv' }, bytes, { background: false })
    const done = await runImport(services, workspace, id, { stored: async () => undefined })
    expect(done).toMatchObject({ state: 'done', added: 0, known: 2, source: { name: 'march.csv' } })
  })
})

import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueTypes } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')
const workspace = randomUUID()
const connection = randomUUID()

let folder: string
let database: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-before-visits-'))
  for (const name of await readdir(migrations)) {
    if (name < '0060') await cp(path.join(migrations, name), path.join(folder, name))
  }
  database = await testDatabase({ migrations: folder })
  owner = new pg.Client({ connectionString: database.ownerUrl, types: valueTypes })
  await owner.connect()
  await owner.query(`select set_config('groundswell.workspace', $1, false)`, [workspace])
  for (const text of [
    `insert into workspace (workspace_id, name) values ('${workspace}', 'w')`,
    `insert into connection (workspace_id, id, connector) values ('${workspace}', '${connection}', 'file')`,
    `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, stored_at)
      select '${workspace}', '${connection}', n, 'text', '2020-01-01', '2026-01-01'::timestamptz + n * interval '1 day'
      from generate_series(1, 6) n`,
    `insert into insight (workspace_id, issue_number, name, summary, last_updated)
      select '${workspace}', n, 'name', 'summary', '2026-05-05' from generate_series(1, 4) n`,
    `insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select workspace_id, id, 0, 0, 4, 'joined', (external_id::int + 1) / 2, 1, 'test', said_at from feedback_item`,
    // By the engine, by a person, and one that only people cause.
    `insert into insight_event (workspace_id, issue_number, at, event, detail) values
      ('${workspace}', 1, '2026-04-01', 'renamed', '{}'),
      ('${workspace}', 2, '2026-04-02', 'renamed', '{"by": "Ann"}'),
      ('${workspace}', 3, '2026-01-04', 'tagged', '{}')`,
  ]) {
    await owner.query(text)
  }
  await migrate(database.ownerUrl, migrations)
})
afterAll(async () => {
  await owner.end()
  await database.cleanup()
  await rm(folder, { recursive: true })
})

it('stored insights are updated when their newest mention arrived or a person last changed them', async () => {
  const { rows } = await owner.query<{ updated: string }>(
    `select issue_number || ' ' || to_char(last_updated at time zone 'UTC', 'MM-DD') || ' '
      || coalesce(to_char(person_changed_at at time zone 'UTC', 'MM-DD'), '-') as updated from insight order by issue_number`,
  )
  // The last one has no mention left: nothing better is known.
  expect(rows.map((row) => row.updated)).toEqual(['1 01-03 -', '2 04-02 04-02', '3 01-07 01-04', '4 05-05 -'])
})

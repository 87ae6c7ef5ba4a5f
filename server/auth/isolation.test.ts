import { randomUUID } from 'node:crypto'
import { type QueryResult, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountRoutes } from '../features/accounts/index.ts'
import { valueTypes } from '../platform/db/connection.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../platform/db/tenant.ts'
import { fillWorkspace, tablesOfWorkspaces } from '../platform/db/tenants/testing.ts'
import { openConnection } from '../platform/db/testing.ts'
import type { TestPerson } from '../platform/http/testing.ts'
import { proves } from '../platform/proves.ts'
import { tableOwners } from '../tables.ts'
import { appOfFile } from '../testing.ts'

let ann: TestPerson
let bo: TestPerson
let app: pg.Client
let workspace: string | null = null

const test = appOfFile((services) => accountRoutes(services))

beforeAll(async () => {
  ann = await test.person('ann')
  bo = await test.person('bo')
  const owner = await openConnection(test.database.ownerUrl, { types: valueTypes })
  await fillWorkspace(owner, ann.workspaceId)
  await owner.end()
  app = await openConnection(test.database.appUrl, { types: valueTypes })
})
afterAll(() => app.end())

const tenantTables = () => tablesOfWorkspaces(app)

function as(workspaceId: string | null): void {
  workspace = workspaceId
}

/** Over the pools of the product, which may lead through a pooler: as the role that uses the table. */
async function query(text: string, table = '') {
  const statement = sql.raw<{ count: number }>(text)
  const db = tableOwners[table] === 'server/auth' ? test.services.db.accounts : test.services.db
  const { rows, numAffectedRows } = await (workspace === null
    ? withoutWorkspace<QueryResult<{ count: number }>, Tx>(db, (tx) => statement.execute(tx))
    : inWorkspace<QueryResult<{ count: number }>, Tx>(db, workspace, (tx) => statement.execute(tx)))
  return { rows, rowCount: Number(numAffectedRows ?? 0) }
}

async function count(table: string, where = ''): Promise<number> {
  const { rows } = await query(`select count(*) as count from ${table} ${where}`, table)
  return rows[0]?.count ?? -1
}

describe('row-level security', () => {
  it('is on and forced for every table of a tenant, and the app can neither own nor bypass', async () => {
    const { rows } = await app.query(
      `
      select relname, relrowsecurity and relforcerowsecurity as guarded, pg_get_userbyid(relowner) = current_user as own
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1)`,
      [await tenantTables()],
    )
    expect(rows.length).toBeGreaterThanOrEqual(80)
    expect(rows.filter((row) => !row.guarded || row.own)).toEqual([])
    const role = await app.query('select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user')
    expect(role.rows).toEqual([{ above: false }])
  })

  it('shows each table’s rows to their own workspace only', async () => {
    proves('8.4.1')
    for (const table of await tenantTables()) {
      as(ann.workspaceId)
      expect([table, await count(table)]).toEqual([table, 1])
      as(bo.workspaceId)
      const mine = `where workspace_id <> '${bo.workspaceId}'`
      expect([table, await count(table, mine)]).toEqual([table, 0])
      for (const nobody of [null, randomUUID()]) {
        as(nobody)
        expect([table, await count(table)]).toEqual([table, 0])
      }
    }
  })

  it('lets no workspace write into another one', async () => {
    as(bo.workspaceId)
    await expect(query('delete from audit_event')).rejects.toThrow('permission denied')
    for (const table of (await tenantTables()).filter((name) => name !== 'audit_event')) {
      const { rowCount } = await query(`delete from ${table} where workspace_id = '${ann.workspaceId}'`, table)
      expect([table, rowCount]).toEqual([table, 0])
    }
    await expect(
      query(`insert into connection (workspace_id, connector) values ('${ann.workspaceId}', 'two')`),
    ).rejects.toThrow('row-level security')
    await expect(
      query(`insert into connection (workspace_id, connector) values ('${bo.workspaceId}', 'two')`),
    ).resolves.toMatchObject({ rowCount: 1 })
  })

  it('hands no setting on to the next user of a connection', async () => {
    const { db } = test.services
    await test.call('GET', '/api/user/user-data', { as: ann })
    for (let time = 0; time < 10; time += 1) {
      const { rows } = await db.pool.query('select count(*) as count from workspace')
      expect(rows).toEqual([{ count: 0 }])
    }
  })

  it('leaves nothing of a workspace when its only owner deletes their account', async () => {
    const answer = await test.call('POST', '/api/account/delete', { as: ann, payload: { password: 'password of 1' } })
    expect(answer.json()).toEqual({ ok: true })
    as(ann.workspaceId)
    for (const table of await tenantTables()) expect([table, await count(table)]).toEqual([table, 0])
  })
})

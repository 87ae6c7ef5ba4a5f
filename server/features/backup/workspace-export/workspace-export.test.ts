import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fillWorkspace, tablesOfWorkspaces } from '../../../platform/db/tenants/testing.ts'
import { openConnection } from '../../../platform/db/testing.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { audited } from '../../audit/index.ts'
import { workspaceExportRoutes } from './routes.ts'
import { exportedTables, withheldTables } from './tables.ts'
import { openExport } from './write-export.ts'

type Row = Record<string, unknown>

let owner: pg.Client
let ann: TestPerson
let bo: TestPerson
let url: string

const app = appOfFile(
  (services) => audited(services, [...accountRoutes(services), ...workspaceExportRoutes(services)]),
  { authRateLimits: null },
)

beforeAll(async () => {
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  owner = await openConnection(app.database.ownerUrl)
})
afterAll(() => owner.end())
beforeEach(async () => {
  ann = await app.person(`ann-${randomUUID()}`)
  bo = await app.person(`bo-${randomUUID()}`)
  for (const { workspaceId } of [bo, ann]) await fillWorkspace(owner, workspaceId)
})

const take = (as: TestPerson) => app.call('POST', '/api/workspace/export', { as })

async function exported(as: TestPerson): Promise<{ text: string; lines: Row[] }> {
  const answer = await take(as)
  expect(answer.statusCode).toBe(200)
  return read(gunzipSync(answer.rawPayload).toString())
}

function read(text: string): { text: string; lines: Row[] } {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  return { text, lines }
}

const rowsIn = (lines: Row[], table: string) =>
  lines.filter((line) => line.table === table).map(({ row }) => row as Row)

test('every table with rows of a workspace is exported, or withheld with a reason', async () => {
  const tables = exportedTables.map(({ table }) => table)
  const all = [...(await tablesOfWorkspaces(owner)), 'session']
  expect([...tables, ...Object.keys(withheldTables)].toSorted()).toEqual(all.toSorted())
  for (const reason of Object.values(withheldTables)) expect(reason).toMatch(/\w+ \w+/)
})

test('the documentation describes each exported table, and names each that is withheld', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/workspace-export.md'), 'utf8')
  const [described = '', withheld = ''] = page.split('## What is not in it')
  const named = (text: string) => [...text.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, name]) => name)
  expect(named(described)).toEqual(exportedTables.map(({ table }) => table))
  expect(named(withheld)).toEqual(Object.keys(withheldTables).toSorted())
})

test('the file has a header, every row of each table, and a count; of another workspace nothing', async () => {
  const answer = await take(ann)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="groundswell-workspace-\d{4}-\d\d-\d\d\.jsonl\.gz"$/,
    ),
    'cache-control': 'no-store',
  })
  expect(answer.headers['content-encoding']).toBeUndefined()
  const { text, lines } = read(gunzipSync(answer.rawPayload).toString())
  expect(lines[0]).toMatchObject({
    groundswell_export: 1,
    workspace_id: ann.workspaceId,
    migration: expect.any(Number),
  })
  expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 })
  expect([...new Set(lines.slice(1, -1).map(({ table }) => table))]).toEqual(exportedTables.map(({ table }) => table))
  expect(text).not.toContain(bo.workspaceId)
  expect(text).not.toContain(bo.email)
  expect(rowsIn(lines, 'feedback_item')).toMatchObject([{ external_id: 'a', text: 'said' }])
  expect(rowsIn(lines, 'member')).toMatchObject([{ role: 'owner', email: ann.email, account_id: ann.accountId }])
})

test('no secret is in it: neither a column of one, nor one that an earlier version stored among the settings', async () => {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  await owner.query(
    `update connection set sealed_secrets = 's1.sealed', connector = 'linear',
       settings = '{"api_key": "lin_concealed", "team": "shown"}' where workspace_id = $1`,
    [ann.workspaceId],
  )
  await owner.query(`update sync_state set cursor = '{"link": "concealed"}' where workspace_id = $1`, [ann.workspaceId])
  const { text, lines } = await exported(ann)
  expect(rowsIn(lines, 'connection')).toMatchObject([{ connector: 'linear', settings: { team: 'shown' } }])
  expect(text).not.toMatch(/concealed|s1\.sealed|argon2/)
  const columns = new Set(lines.flatMap(({ row }) => Object.keys((row as Row | undefined) ?? {})))
  expect(
    [...columns].filter((name) => /secret|sealed|password|credential|token(?!s$)|key_hash|cursor/.test(name)),
  ).toEqual([])
})

test('it is one state of the workspace, read as it is consumed', async () => {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  await owner.query(
    `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
     select workspace_id, id, 'x' || n, repeat('said ', 40), now() from connection, generate_series(1, 5000) n where workspace_id = $1`,
    [ann.workspaceId],
  )
  const { blocks, close } = await openExport(app.services, ann)
  const first = await blocks.next()
  expect(String(first.value).length).toBeLessThan(200_000)
  await owner.query(`delete from feedback_item where workspace_id = $1`, [ann.workspaceId])
  await owner.query(`update insight set name = 'changed' where workspace_id = $1`, [ann.workspaceId])
  let text = String(first.value)
  for await (const block of blocks) text += block
  await close()
  const { lines } = read(text)
  expect(rowsIn(lines, 'feedback_item')).toHaveLength(5001)
  expect(rowsIn(lines, 'insight')).toMatchObject([{ name: 'name' }])
})

test('one runs at a time, and an abandoned one gives its connection back', async () => {
  const { close } = await openExport(app.services, ann)
  const refused = await take(ann)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict'])
  expect((await exported(bo)).lines.length).toBeGreaterThan(10)
  await close()
  expect((await exported(ann)).lines.length).toBeGreaterThan(10)
})

test('a fourth one at the same time is refused', async () => {
  const others = [await app.person(`c-${randomUUID()}`), bo, await app.person(`d-${randomUUID()}`)]
  const running = await Promise.all(others.map((one) => openExport(app.services, one)))
  const refused = await take(ann)
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
  for (const { close } of running) await close()
  expect((await exported(ann)).lines.length).toBeGreaterThan(10)
})

test('only an owner exports, and the audit log says so', async () => {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
  await exported(ann)
  await owner.query(`update member set role = 'member' where workspace_id = $1`, [ann.workspaceId])
  const refused = await take(ann)
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
  const { rows } = await owner.query(
    `select action, actor from audit_event where workspace_id = $1 and action = 'workspace.exported'`,
    [ann.workspaceId],
  )
  expect(rows).toEqual([{ action: 'workspace.exported', actor: ann.email }])
})

test.each([
  [
    'a lost database',
    () =>
      owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'groundswell export' and datname = current_database()`,
      ),
  ],
  ['the time limit', async (limit: AbortController) => limit.abort()],
])(
  '%s while the file is sent ends the connection instead of the file, and the next export succeeds',
  async (_, fail) => {
    await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', ann.workspaceId])
    await owner.query(
      `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
     select workspace_id, id, 'x' || n, (select string_agg(md5(random()::text || n || m), '') from generate_series(1, 60) m), now()
     from connection, generate_series(1, 6000) n where workspace_id = $1`,
      [ann.workspaceId],
    )
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const answer = await fetch(`${url}/api/workspace/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}` },
    })
    timeout.mockRestore()
    expect(answer.status).toBe(200)
    await fail(limit)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
    await expect.poll(async () => (await take(ann)).statusCode).toBe(200)
  },
)

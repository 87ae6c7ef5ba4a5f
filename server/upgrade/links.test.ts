import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isWebAddress, MAX_LINK } from '@groundswell/contract/web-address.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valueTypes, withDatabase } from '../platform/db/connection.ts'
import { migrate } from '../platform/db/migrate.ts'
import { type TestDatabase, testDatabase } from '../platform/db/testing.ts'

const migrations = path.join(import.meta.dirname, '..', 'migrations')
/** Owns the tables without being a superuser, as on a hosted server: row-level security applies to it too. */
const OWNER = `groundswell_links_${process.pid}`
const workspaces = [randomUUID(), randomUUID()] as const

const KEPT = [
  'https://desk.example.com/1',
  'HTTP://desk.example.com',
  'https://example.com:8443/a?b=c#d',
  'https://example.com/@ann/1',
  'https://example.com?a=1@2',
  'https://[::1]/x',
  'https://münchen.example/ä',
  'https://example.com/my file.pdf',
  `https://example.com/${'x'.repeat(MAX_LINK - 20)}`,
]
const CLEARED = [
  '',
  'javascript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  ' https://example.com',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  '/settings',
  'desk.example.com',
  'https:evil.example',
  'https://',
  'https:///path',
  'https://?x',
  'https:\\\\evil.example',
  'https://example.com\\@evil.example/',
  'https://exa mple.com',
  'https://bank.example@evil.example/',
  'https://user:secret@example.com',
  'https://example.com/\tx',
  'https://example.com\n',
  'https://example.com/\u007f',
  'https://example.com/\u00ad',
  'https://example.com/\u2028',
  'https://example.com/\u202egnp.exe',
  'ftp://example.com',
  `https://example.com/${'x'.repeat(MAX_LINK)}`,
]
const links = [...KEPT, ...CLEARED]

/** Every column with a link, and the statement that stores one as an earlier version did. */
const COLUMNS: Record<string, { column: string; insert: string }> = {
  feedback_item: {
    column: 'link',
    insert: `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, link)
      values ($1, gen_random_uuid(), $2, 'kept', now(), $3)`,
  },
  context_message: {
    column: 'link',
    insert: `insert into context_message (workspace_id, connection_id, external_id, thread, text, said_at, link)
      values ($1, gen_random_uuid(), $2, 't', 'kept', now(), $3)`,
  },
  replaced_text: {
    column: 'link',
    insert: `insert into replaced_text (workspace_id, import_id, item_id, external_id, text, said_at, link)
      values ($1, gen_random_uuid(), 1, $2, 'kept', now(), $3)`,
  },
  remote_item: {
    column: 'url',
    insert: `insert into remote_item (workspace_id, connection_id, issue_number, label, created_at, url)
      values ($1, gen_random_uuid(), 1, $2, now(), $3)`,
  },
  delivery: {
    column: 'remote_url',
    insert: `insert into delivery (workspace_id, connection_id, issue_number, event, window_hour, last_error, remote_url)
      values ($1, gen_random_uuid(), 1, 'insight.created', 0, $2, $3)`,
  },
}

let empty: string
let before: string
let database: TestDatabase
let admin: pg.Client
const earlier = new Map<string, Record<string, unknown>[]>()

const rowsOf = async (table: string) =>
  (await admin.query<Record<string, unknown>>(`select ctid, * from ${table} order by workspace_id, ctid`)).rows

beforeAll(async () => {
  empty = await mkdtemp(path.join(tmpdir(), 'groundswell-empty-'))
  before = await mkdtemp(path.join(tmpdir(), 'groundswell-before-links-'))
  for (const name of await readdir(migrations)) {
    if (name < '0093') await cp(path.join(migrations, name), path.join(before, name))
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
  // Only the links matter here, not what the rows belong to.
  await admin.query('set session_replication_role = replica')
  for (const workspace of workspaces) {
    await admin.query(`insert into workspace (workspace_id, name) values ($1, 'w')`, [workspace])
    for (const { insert } of Object.values(COLUMNS))
      for (const [at, link] of [...links, null].entries()) await admin.query(insert, [workspace, `row ${at}`, link])
  }
  await admin.query('set session_replication_role = origin')
  for (const table of Object.keys(COLUMNS)) earlier.set(table, await rowsOf(table))
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

describe.each(Object.entries(COLUMNS))('%s, in every workspace', (table, { column }) => {
  it.each(workspaces)('loses the links that are no addresses of web pages', async (workspace) => {
    const { rows } = await admin.query<{ link: string | null }>(
      `select ${column} as link from ${table} where workspace_id = $1`,
      [workspace],
    )
    const left = rows.flatMap(({ link }) => link ?? [])
    expect([rows.length, left.toSorted()]).toEqual([links.length + 1, KEPT.toSorted()])
  })

  it('loses nothing else', async () => {
    const found = earlier.get(table) ?? []
    // Later migrations add columns.
    const names = Object.keys(found[0] ?? {}).filter((name) => name !== 'ctid' && name !== column)
    const without = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => JSON.stringify(names.map((name) => row[name]))).sort()
    const stored = await rowsOf(table)
    expect(stored).toHaveLength(2 * (links.length + 1))
    expect(without(stored)).toEqual(without(found))
  })

  it('keeps the rows without a bad link untouched', async () => {
    const kept = (rows: readonly Record<string, unknown>[] = []) =>
      rows.filter((row) => [null, ...KEPT].some((link) => row[column] === link)).map(({ ctid }) => ctid)
    const stored = new Set((await rowsOf(table)).map(({ ctid }) => ctid))
    expect(kept(earlier.get(table)).filter((ctid) => !stored.has(ctid))).toEqual([])
  })
})

it('applies the rule by which new links are stored', () => {
  const fits = (link: string) => isWebAddress(link) && link.length <= MAX_LINK
  expect([KEPT.filter((link) => !fits(link)), CLEARED.filter(fits)]).toEqual([[], []])
})

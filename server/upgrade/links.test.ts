import { randomUUID } from 'node:crypto'
import { isWebAddress, MAX_LINK } from '@groundswell/contract/values/web-address.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseBefore, type EarlierDatabase } from './earlier-database.ts'

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

let database: EarlierDatabase
const earlier = new Map<string, Record<string, unknown>[]>()

const rowsOf = async (table: string) =>
  (await database.admin.query<Record<string, unknown>>(`select ctid, * from ${table} order by workspace_id, ctid`)).rows

beforeAll(async () => {
  database = await databaseBefore('0093')
  const { admin } = database
  for (const workspace of workspaces) {
    await admin.query(`insert into workspace (workspace_id, name) values ($1, 'w')`, [workspace])
    for (const { insert } of Object.values(COLUMNS))
      for (const [at, link] of [...links, null].entries()) await admin.query(insert, [workspace, `row ${at}`, link])
  }
  for (const table of Object.keys(COLUMNS)) earlier.set(table, await rowsOf(table))
  await database.update()
})
afterAll(() => database?.cleanup())

describe.each(Object.entries(COLUMNS))('%s, in every workspace', (table, { column }) => {
  it.each(workspaces)('loses the links that are no addresses of web pages', async (workspace) => {
    const { rows } = await database.admin.query<{ link: string | null }>(
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

import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { testDatabase } from '@groundswell/server/platform/db/testing.ts'
import { tableOwners } from '@groundswell/server/tables.ts'
import { describe, expect, test } from 'vitest'
import { unconverted } from './table-exceptions.ts'
import { tableUses } from './table-uses.ts'
import { foreignTables, misplacedSql, trespasses } from './tables.ts'
import { lint, root } from './testing.ts'

const tables = new Set(Object.keys(tableOwners))
const uses = (text: string) =>
  tableUses(text, tables).map(({ table, writes }) => `${writes ? 'writes' : 'reads'} ${table}`)

describe('the tables that a piece of SQL names', () => {
  test.each<[string, string[]]>([
    ['insert into insight (name) values ($)', ['writes insight']],
    ['update insight set name = $', ['writes insight']],
    ['delete from only public.insight where true', ['writes insight']],
    ['delete from delivery using insight where true', ['writes delivery', 'reads insight']],
    ['truncate table insight', ['writes insight']],
    ['lock table embedding_model in share mode', ['writes embedding_model']],
    ['merge into insight using $ on true', ['writes insight']],
    ['with gone as (delete from statement returning *) select from gone', ['writes statement']],
    ['select from statement s, insight as i, lateral (select 1) one', ['reads statement', 'reads insight']],
    ['SELECT * FROM "insight" LEFT JOIN statement ON true', ['reads insight', 'reads statement']],
    ['select exists (select from account) as used', ['reads account']],
    ['connection on connection.id = $', ['reads connection']],
    ['delivery join $ connection on true', ['reads delivery']],
  ])('%s', (text, expected) => {
    expect(uses(text)).toEqual(expected)
  })

  test.each([
    'select insight.name, statement from $ insight where import is distinct from session.id',
    "select 'update insight', extract(epoch from session.at) -- from insight",
    'select * from provider_apps($) join insight(1) on true for update of delivery',
    'insight.deleted_at is null and not insight.hidden',
    'on conflict do update set name = excluded.name',
  ])('none in: %s', (text) => {
    expect(uses(text)).toEqual([])
  })
})

test('only store files hold SQL', () => {
  expect(misplacedSql('server/features/insights/list/routes.ts')).toMatch('store files only')
  expect(misplacedSql('server/features/insights/restore.ts')).toMatch('store files only')
  expect(misplacedSql('server/features/insights/list/store.ts')).toBeNull()
  expect(misplacedSql('server/features/insights/shown-store.ts')).toBeNull()
  expect(misplacedSql('server/platform/queue/rows.ts')).toBeNull()
})

test('only the owner of a table names it', () => {
  expect(trespasses('server/features/deliveries/store.ts', 'update insight set name = $')).toEqual([
    'insight belongs to server/features/insights: call a function of its store (server/tables.ts)',
  ])
  expect(trespasses('server/features/deliveries/store.ts', 'select from delivery join insight on true')).toEqual([
    'insight belongs to server/features/insights: join a fragment or call a function that it exports (server/tables.ts)',
  ])
  expect(trespasses('server/features/insights/list/store.ts', 'update insight set name = $')).toEqual([])
})

test('every table of the database has an owner that exists', async () => {
  const database = await testDatabase()
  try {
    const { rows } = await database.db.pool.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    )
    expect(Object.keys(tableOwners).sort()).toEqual(rows.map((row) => row.name).sort())
  } finally {
    await database.cleanup()
  }
  const folders = [...new Set(Object.values(tableOwners))].filter((folder) => folder !== 'server/auth')
  const found = await Promise.all(folders.map((folder) => stat(path.join(root, folder))))
  expect(found.every((one) => one.isDirectory())).toBe(true)
})

test('the lists of what is not converted name nothing that is', async () => {
  const sourceOf = (file: string) => readFile(path.join(root, file), 'utf8')
  const used: Record<string, string[]> = {}
  for (const file of Object.keys(unconverted.foreign)) {
    const templates = [...(await sourceOf(file)).matchAll(/sql(?:<[^`]*?>)?`([^`]*)/g)].map((match) => match[1] ?? '')
    used[file] = [...new Set(templates.flatMap((text) => foreignTables(file, text)).map(({ table }) => table))].sort()
  }
  expect(unconverted.foreign).toEqual(used)
  const sources = await Promise.all(unconverted.misplaced.map(sourceOf))
  const withoutSql = unconverted.misplaced.filter(
    (_, at) => !/import [^;]*?\bsql\b[^;]*? from 'kysely'/.test(sources[at] ?? ''),
  )
  expect(withoutSql).toEqual([])
})

describe('the linter itself', () => {
  test('stops SQL outside of a store', async () => {
    const output = await lint(
      'server/features/deliveries/linted-query.ts',
      "import { sql } from 'kysely'\n\nexport const one = sql`select 1`\nexport const two = 'select id from delivery'\n",
    )
    expect(output.match(/SQL stands in store files only/g)).toHaveLength(2)
    expect(
      await lint(
        'server/features/deliveries/linted-words.ts',
        "export const words = 'Select an insight from the list'\n",
      ),
    ).toBe('passed')
  })

  test('stops a store that writes or reads the table of another feature', async () => {
    const output = await lint(
      'server/features/deliveries/linted-store.ts',
      `import { type Kysely, sql } from 'kysely'

export const write = (id: string) => sql\`update insight set name = '' where id = \${id}\`
export const read = sql<{ id: string }>\`select id from delivery join connection on true\`
export const build = (db: Kysely<{ statement: { id: string } }>) => db.deleteFrom('statement')
export const text = (client: { query(text: string): unknown }) => client.query('delete from workspace')
`,
    )
    expect(output).toContain('linted-store.ts:3')
    expect(output).toContain('insight belongs to server/features/insights: call a function')
    expect(output).toContain('connection belongs to server/features/connections: join a fragment')
    expect(output).toContain('statement belongs to server/features/insights: call a function')
    expect(output).toContain('workspace belongs to server/features/workspaces: call a function')
    expect(output).not.toContain('delivery belongs')
  })
})

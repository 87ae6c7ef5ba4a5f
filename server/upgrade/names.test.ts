import { randomUUID } from 'node:crypto'
import { hasControls, withoutControls } from '@groundswell/contract/values/name.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseBefore, type EarlierDatabase } from './earlier-database.ts'

const workspaces = [randomUUID(), randomUUID()] as const
const ANN = randomUUID()

const KEPT = [
  'Ann',
  'Søren Ødegård',
  'شركة الاختبار',
  '株式会社',
  'Zoë\u200d👩\u200d💻',
  'a\u00a0b',
  ' blanks ',
  'x\\u0007',
]
const CHANGED = [
  'bell\u0007',
  'two\r\nlines',
  'tab\tstop',
  '\u001b[2Jcleared',
  'next\u0085line',
  'line\u2028separator\u2029',
  'txt.\u202egnp.exe',
  'isolated\u2066\u2069',
  '\u00a0\u3000\ufeffwide\u007f\u2003',
  'last\u0001\u001f\u009f',
]
/** Nothing of it can be seen. */
const NOTHING = '\n\u0007 '
const names = [...KEPT, ...CHANGED, NOTHING]

/** Every column with names of a workspace: the statement that stores one as an earlier version did, and what is stored instead of nothing. */
const COLUMNS: Record<string, { insert: string; nothing: string | null }> = {
  'feedback_item author': {
    nothing: null,
    insert: `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, author)
      values ($1, gen_random_uuid(), $2, 'kept', now(), $3)`,
  },
  'feedback_item place': {
    nothing: null,
    insert: `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, place)
      values ($1, gen_random_uuid(), $2, 'kept', now(), $3)`,
  },
  'context_message author': {
    nothing: null,
    insert: `insert into context_message (workspace_id, connection_id, external_id, thread, text, said_at, author)
      values ($1, gen_random_uuid(), $2, 't', 'kept', now(), $3)`,
  },
  'replaced_text author': {
    nothing: null,
    insert: `insert into replaced_text (workspace_id, import_id, item_id, external_id, text, said_at, author)
      values ($1, gen_random_uuid(), 1, $2, 'kept', now(), $3)`,
  },
  'replaced_text place': {
    nothing: null,
    insert: `insert into replaced_text (workspace_id, import_id, item_id, external_id, text, said_at, place)
      values ($1, gen_random_uuid(), 1, $2, 'kept', now(), $3)`,
  },
  'customer name': {
    nothing: 'Unnamed',
    insert: `insert into customer (workspace_id, key, name_key, name) values ($1, $2, $2, $3)`,
  },
  'insight name': {
    nothing: 'Unnamed',
    insert: `insert into insight (workspace_id, issue_number, summary, name) values ($1, substr($2, 5)::int + 1, 'kept', $3)`,
  },
  'theme person_name': {
    nothing: null,
    insert: `insert into theme (workspace_id, id, name, person_name) values ($1, substr($2, 5)::int + 1, 'kept', $3)`,
  },
  'import name': {
    nothing: 'Unnamed',
    insert: `insert into import (workspace_id, connection_id, options, name)
      values ($1, gen_random_uuid(), json_build_object('row', $2::text), $3)`,
  },
  'api_key name': {
    nothing: 'Unnamed',
    insert: `insert into api_key (workspace_id, account_id, scopes, token_hash, token_start, created_at, name)
      values ($1, gen_random_uuid(), '{read}', convert_to(gen_random_uuid()::text || $2::text, 'UTF8'), 'gs', now(), $3)`,
  },
  'receiver description': {
    nothing: '',
    insert: `insert into receiver (workspace_id, created_at, sealed, description) values ($1, now(), $2, $3)`,
  },
  'connection account': {
    nothing: null,
    insert: `insert into connection (workspace_id, connector, account) values ($1, $2, $3)`,
  },
  'connection name': {
    nothing: '',
    insert: `insert into connection (workspace_id, connector, name) values ($1, $2, $3)`,
  },
  'saved_view name': {
    nothing: 'Unnamed',
    insert: `insert into saved_view (workspace_id, account_id, query, shared, updated_at, name)
      values ($1, gen_random_uuid(), $2, false, now(), $3)`,
  },
}

let database: EarlierDatabase
const earlier = new Map<string, string[]>()

async function valuesOf(table: string, column: string): Promise<string[]> {
  const { rows } = await database.admin.query<{ value: string }>(
    `select ${column} as value from ${table} where ${column} is not null and ${column} <> ''`,
  )
  return rows.map(({ value }) => value)
}
const untouched = async (table: string, column: string) => {
  const { rows } = await database.admin.query<{ place: string }>(
    `select ctid::text as place from ${table} where ${column} = any($1) order by ctid`,
    [KEPT],
  )
  return rows.map(({ place }) => place)
}

beforeAll(async () => {
  database = await databaseBefore('0107')
  const { admin } = database
  const named = (name: string) => ({ name, other: 'a\nb', full_name: name })
  await admin.query(
    `insert into account (id, email, password_hash, name, user_metadata) values ($1, 'ann@example.com', 'x', $2, $3)`,
    [ANN, 'Ann\u0007', named('An\u202en')],
  )
  await admin.query(
    `insert into account (email, password_hash, name, user_metadata) values ('max@example.com', 'x', $1, '{"role":"x"}')`,
    [NOTHING],
  )
  await admin.query(`insert into identity (account_id, provider, subject, data) values ($1, 'google', '1', $2)`, [
    ANN,
    { name: 'Ann\n', email_verified: true },
  ])
  for (const name of ['Phone', 'Phone\u0007', NOTHING]) {
    await admin.query(
      `insert into factor (account_id, factor_type, friendly_name, status, created_at, updated_at)
        values ($1, 'totp', $2, 'unverified', now(), now())`,
      [ANN, name],
    )
  }
  for (const [at, workspace] of workspaces.entries()) {
    await admin.query('insert into workspace (workspace_id, name) values ($1, $2)', [workspace, `Team\u0007 ${at}`])
    for (const { insert } of Object.values(COLUMNS))
      for (const [row, name] of names.entries()) await admin.query(insert, [workspace, `row ${row}`, name])
    for (const name of ['Mine', 'mi\u0007ne', 'MINE\n']) {
      await admin.query(
        `insert into saved_view (workspace_id, account_id, query, shared, updated_at, name)
          values ($1, $2, 'one', false, now(), $3)`,
        [workspace, ANN, name],
      )
    }
    for (const name of ['Reviews', 'Reviews\n'])
      await admin.query(`insert into connection (workspace_id, connector, name) values ($1, 'file', $2)`, [
        workspace,
        name,
      ])
  }
  for (const column of Object.keys(COLUMNS)) {
    const [table = '', name = ''] = column.split(' ')
    earlier.set(column, await untouched(table, name))
  }
  await database.update()
})
afterAll(() => database?.cleanup())

describe.each(Object.entries(COLUMNS))('%s, in every workspace', (column, { nothing }) => {
  const [table = '', name = ''] = column.split(' ')

  it('loses its control characters by the rule of new names', async () => {
    const stored = await valuesOf(table, name)
    expect(stored.filter(hasControls)).toEqual([])
    for (const one of CHANGED)
      expect([one, stored.filter((found) => found === withoutControls(one)).length]).toEqual([one, 2])
    expect(stored.filter((found) => found === 'Unnamed')).toHaveLength(nothing === 'Unnamed' ? 2 : 0)
  })

  it('is not touched where it has none', async () => {
    const kept = await untouched(table, name)
    expect(kept).toEqual(earlier.get(column))
    expect(kept).toHaveLength(2 * KEPT.length)
  })
})

it('names that become the same get a number', async () => {
  const { rows: views } = await database.admin.query<{ names: string[] }>(
    `select array_agg(lower(name) order by lower(name)) as names from saved_view where query = 'one' group by workspace_id`,
  )
  expect(views.map(({ names: found }) => found)).toEqual(workspaces.map(() => ['mine', 'mine (2)', 'mine (3)']))
  const { rows: sources } = await database.admin.query<{ names: string[] }>(
    `select array_agg(name order by name) as names from connection where connector = 'file' group by workspace_id`,
  )
  expect(sources.map(({ names: found }) => found)).toEqual(workspaces.map(() => ['Reviews', 'Reviews (2)']))
  const { rows: factors } = await database.admin.query<{ name: string }>(
    'select friendly_name as name from factor order by friendly_name',
  )
  expect(factors.map(({ name }) => name)).toEqual(['', 'Phone', 'Phone (2)'])
})

it('people and workspaces keep what can be seen of their names', async () => {
  const { rows } = await database.admin.query<{ name: string; data: object }>(
    'select name, user_metadata as data from account order by email',
  )
  expect(rows).toEqual([
    { name: 'Ann', data: { name: 'Ann', full_name: 'Ann', other: 'a\nb' } },
    { name: 'max', data: { role: 'x' } },
  ])
  const { rows: identities } = await database.admin.query<{ data: object }>('select data from identity')
  expect(identities).toEqual([{ data: { name: 'Ann', email_verified: true } }])
  expect((await valuesOf('workspace', 'name')).toSorted()).toEqual(['Team 0', 'Team 1'])
})

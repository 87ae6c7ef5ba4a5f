import { randomUUID } from 'node:crypto'
import { hasControls, withoutControls } from '@groundswell/contract/values/name.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseBefore, type EarlierDatabase } from './earlier-database.ts'

const workspaces = [randomUUID(), randomUUID()] as const
const CHANGED = ['bell\u0007', 'two\r\nlines', '\u001b[2Jcleared', 'next\u0085line', 'txt.\u202egnp.exe']
const KEPT = ['Søren Ødegård', '株式会社', ' blanks ', 'x\\u0007', 'a\\nb']
const NOTHING = '\n\u0007 '
const names = [...KEPT, ...CHANGED, NOTHING]

/** Each place with a name in it: the statement that stores one as an earlier version did, how it is read, and what stands for nothing. */
const PLACES: Record<string, { insert: string; read: string; nothing: string | null }> = {
  ...Object.fromEntries(
    [
      [
        "'{}', jsonb_build_array(jsonb_build_object('name', $3::text, 'mentions_before', 1)), '[]', '[]'",
        'changes -> 0',
      ],
      ["jsonb_build_object('kind', 'rename', 'name', $3::text), '[]', '[]', '[]'", 'request'],
      ["'{}', '[]', jsonb_build_array(jsonb_build_object('summary', E'a\\nb', 'name', $3::text)), '[]'", 'found -> 0'],
      ["'{}', '[]', '[]', jsonb_build_array(jsonb_build_object('locked', true, 'name', $3::text))", 'made -> 0'],
    ].map(([documents, read]) => [
      `${read} of a correction`,
      {
        nothing: 'Unnamed',
        read: `select ${read} ->> 'name' as name from correction`,
        insert: `insert into correction (workspace_id, issue_number, kind, state, touched, person, request, changes, found, made)
          values ($1, $2, 'rename', 'applied', '{}', 'kept', ${documents})`,
      },
    ]),
  ),
  'the person of a correction': {
    nothing: 'Unnamed',
    read: 'select person as name from correction',
    insert: `insert into correction (workspace_id, issue_number, kind, state, touched, request, person)
      values ($1, $2, 'lock', 'applied', '{}', '{}', $3)`,
  },
  'the person who undid one': {
    nothing: 'Unnamed',
    read: 'select undone_by as name from correction',
    insert: `insert into correction (workspace_id, issue_number, kind, state, touched, request, person, undone_by)
      values ($1, $2, 'lock', 'applied', '{}', '{}', 'kept', $3)`,
  },
  'an event of an insight': {
    nothing: 'Unnamed',
    read: `select detail ->> 'to' as name from insight_event`,
    insert: `insert into insight_event (workspace_id, issue_number, event, detail)
      values ($1, $2, 'item_gone', jsonb_build_object('tag', 'kept', 'to', $3::text))`,
  },
  'who set a status': {
    nothing: 'Unnamed',
    read: 'select team_status_by as name from insight',
    insert: `insert into insight (workspace_id, issue_number, name, summary, team_status_by) values ($1, $2, 'kept', '', $3)`,
  },
  "the engine's name of an insight": {
    nothing: 'Unnamed',
    read: 'select engine_name as name from insight',
    insert: `insert into insight (workspace_id, issue_number, name, summary, engine_name) values ($1, $2 + 1000, 'kept', '', $3)`,
  },
  'the label of an item in a tracker': {
    nothing: 'remote',
    read: 'select label as name from remote_item',
    insert: `insert into remote_item (workspace_id, connection_id, issue_number, remote_id, created_at, label)
      values ($1, gen_random_uuid(), $2, 'remote', now(), $3)`,
  },
  'the state of an item in a tracker': {
    nothing: null,
    read: 'select state_name as name from remote_item',
    insert: `insert into remote_item (workspace_id, connection_id, issue_number, created_at, state_name)
      values ($1, gen_random_uuid(), $2, now(), $3)`,
  },
  'what was chosen for a connection': {
    nothing: 'Unnamed',
    read: `select chosen #>> '{0,values,0,label}' as name from connection`,
    insert: `insert into connection (workspace_id, connector, name, chosen) values ($1, 'c', ($2::int)::text, jsonb_build_array(
      jsonb_build_object('field', 'f', 'label', 'kept', 'values',
        jsonb_build_array(jsonb_build_object('value', E'v\\n', 'label', $3::text)))))`,
  },
  'the label of a channel': {
    nothing: 'C7',
    read: 'select label as name from post_channel',
    insert: `insert into post_channel (workspace_id, connection_id, channel, frequency, weekday, hour, time_zone, covered_until, set_by, label)
      values ($1, gen_random_uuid(), 'C' || (7 + 0 * $2::int), 'off', 1, 1, 'UTC', now(), 'kept', $3)`,
  },
  'who chose a channel': {
    nothing: 'Unnamed',
    read: 'select set_by as name from post_channel',
    insert: `insert into post_channel (workspace_id, connection_id, channel, frequency, weekday, hour, time_zone, covered_until, label, set_by)
      values ($1, gen_random_uuid(), 'C' || $2::int, 'off', 1, 1, 'UTC', now(), 'kept', $3)`,
  },
  'who posted a reply': {
    nothing: 'Unnamed',
    read: 'select posted_by as name from post',
    insert: `insert into post (workspace_id, connection_id, kind, issue_number, state, created_at, posted_by)
      values ($1, gen_random_uuid(), 'reply', $2, 'sent', now(), $3)`,
  },
  'the plan of a customer': {
    nothing: null,
    read: 'select plan as name from customer',
    insert: `insert into customer (workspace_id, key, name_key, name, plan) values ($1, 'p' || $2::int, 'kept', 'kept', $3)`,
  },
  'the region of a customer': {
    nothing: null,
    read: 'select region as name from customer',
    insert: `insert into customer (workspace_id, key, name_key, name, region) values ($1, 'r' || $2::int, 'kept', 'kept', $3)`,
  },
}

let database: EarlierDatabase
const ids = { plain: randomUUID(), listed: randomUUID(), other: randomUUID() }

const stored = async (read: string) =>
  (
    await database.admin.query<{ name: string | null }>(`select name from (${read}) place where name is not null`)
  ).rows.map(({ name }) => name ?? '')

beforeAll(async () => {
  database = await databaseBefore('0111')
  const { admin } = database
  for (const workspace of workspaces) {
    await admin.query(`insert into workspace (workspace_id, name) values ($1, 'Team')`, [workspace])
    for (const { insert } of Object.values(PLACES))
      for (const [row, name] of names.entries()) await admin.query(insert, [workspace, row + 1, name])
  }
  const [one, two] = workspaces
  const customer = (workspace: string, id: string, key: string, more: object = {}) => {
    const row = {
      workspace_id: workspace,
      id,
      key: `name:${key}`,
      name_key: key,
      name: key,
      created_at: 'now',
      attributes: {},
      ...more,
    }
    const all = { listed: false, listed_fields: [], ...row }
    return admin.query('insert into customer select * from jsonb_populate_record(null::customer, $1)', [all])
  }
  await customer(one, ids.plain, 'acme')
  await customer(one, ids.listed, 'ac\u0007me\n', {
    listed: true,
    revenue: 12,
    listed_fields: ['revenue'],
    name: 'Acme',
  })
  await customer(one, ids.other, 'only \u0085 one.\u0007.')
  await customer(two, randomUUID(), 'ac\u0007me')
  await admin.query('delete from customer_fill')
  for (const [item, id] of [ids.plain, ids.listed].entries())
    await admin.query('insert into feedback_customer (workspace_id, item_id, customer_id) values ($1, $2, $3)', [
      one,
      item + 1,
      id,
    ])
  await admin.query(
    `insert into post_channel (workspace_id, connection_id, channel, frequency, weekday, hour, time_zone, covered_until, set_by, label,
      watched_customers) values ($1, gen_random_uuid(), 'W', 'off', 1, 1, 'UTC', now(), 'kept', 'kept', $2)`,
    [one, [ids.listed, ids.plain]],
  )
  await database.update()
})
afterAll(() => database?.cleanup())

describe.each(Object.entries(PLACES))('%s, in every workspace', (_, { read, nothing }) => {
  it('loses its control characters by the rule of new names, and keeps a name without', async () => {
    const found = await stored(read)
    expect(found.filter(hasControls)).toEqual([])
    for (const name of [...KEPT, ...CHANGED])
      expect([
        name,
        found.filter((one) => one === (KEPT.includes(name) ? name : withoutControls(name))).length,
      ]).toEqual([name, 2])
    expect(found.filter((one) => one === (nothing ?? 'Unnamed'))).toHaveLength(nothing === null ? 0 : 2)
  })
})

it('what is no name in the history and in what was chosen is kept', async () => {
  const { rows } = await database.admin.query<{ found: number; chosen: number }>(`select
    (select count(*)::int from correction where found #>> '{0,summary}' = E'a\\nb') as found,
    (select count(*)::int from connection where chosen #>> '{0,values,0,value}' = E'v\\n') as chosen`)
  expect(rows).toEqual([{ found: 2 * names.length, chosen: 2 * names.length }])
})

it('customers whose keys become the same become one, with the messages and the list of both', async () => {
  const { admin } = database
  const { rows } = await admin.query<object>(
    `select id, key, name_key, listed, revenue, listed_fields from customer where key like 'name:%' and workspace_id = $1 order by key`,
    [workspaces[0]],
  )
  expect(rows).toEqual([
    { id: ids.plain, key: 'name:acme', name_key: 'acme', listed: true, revenue: 12, listed_fields: ['revenue'] },
    { id: ids.other, key: 'name:only one', name_key: 'only one', listed: false, revenue: null, listed_fields: [] },
  ])
  const { rows: messages } = await admin.query<object>(
    'select item_id, customer_id from feedback_customer order by item_id',
  )
  expect(messages).toEqual([
    { item_id: 1, customer_id: ids.plain },
    { item_id: 2, customer_id: ids.plain },
  ])
  const { rows: watched } = await admin.query<object>(`select watched_customers from post_channel where channel = 'W'`)
  expect(watched).toEqual([{ watched_customers: [ids.plain] }])
  const { rows: fills } = await admin.query('select from customer_fill')
  expect(fills).toHaveLength(2)
})

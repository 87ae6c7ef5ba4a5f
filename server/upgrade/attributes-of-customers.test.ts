import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseBefore, type EarlierDatabase } from './earlier-database.ts'

const workspaces = [randomUUID(), randomUUID()]
let database: EarlierDatabase

const attributesOf = async (key: string) => {
  const { rows } = await database.admin.query<{ attributes: object }>(
    'select attributes from customer where key = $1 order by workspace_id',
    [key],
  )
  return rows.map(({ attributes }) => attributes)
}

beforeAll(async () => {
  database = await databaseBefore('0114')
  const given: Record<string, object> = {
    clean: { Owner: ' Søren ', 'x\\u0007': 'a\\nb' },
    marked: { 'Ow\u0007ner': 'two\r\nlines', Stage: '\u001b[2Jwon', File: 'txt.\u202egnp.exe', Seats: '12' },
    nothing: { Owner: '\u0007\n', '\u0085': 'x' },
    both: { Owner: 'kept', 'Owner\n': 'lost' },
  }
  for (const workspace of workspaces) {
    await database.admin.query(`insert into workspace (workspace_id, name) values ($1, 'Team')`, [workspace])
    for (const [key, attributes] of Object.entries(given))
      await database.admin.query(
        'insert into customer (workspace_id, key, name_key, name, attributes) values ($1, $2, $2, $2, $3)',
        [workspace, key, attributes],
      )
  }
  await database.update()
})
afterAll(() => database?.cleanup())

it.each([
  ['clean', { Owner: ' Søren ', 'x\\u0007': 'a\\nb' }],
  ['marked', { Owner: 'two lines', Stage: '[2Jwon', File: 'txt.gnp.exe', Seats: '12' }],
  ['nothing', {}],
  ['both', { Owner: 'kept' }],
])('attributes of customers lose their control characters in every workspace: %s', async (key, attributes) => {
  expect(await attributesOf(key)).toEqual([attributes, attributes])
})

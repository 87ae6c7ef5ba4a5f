import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { withWorld, world } from '../testing.ts'
import { exportFile } from './export.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const said = (text: string, more: { author?: string; link?: string; at?: Date } = {}) => ({
  message: `Hi! ${text} Bye.`,
  text,
  at: new Date('2026-02-01T10:00:00Z'),
  ...more,
})

async function take(format: 'csv' | 'jsonl', issue_numbers?: number[], of = workspace) {
  const answer = await world.app.inject({
    method: 'POST',
    url: '/api/insights/export',
    headers: { authorization: `Bearer ${of}` },
    payload: { format, ...(issue_numbers ? { issue_numbers } : {}) },
  })
  expect(answer.statusCode).toBe(200)
  return answer
}

test('CSV has a line for each mention, in the order of the insights, and no formula', async () => {
  await world.insight(workspace, 1, [
    said('=HYPERLINK("https://evil.example")', { author: '@ann', link: 'https://example.com/1' }),
    said('It "fails", again', { author: '+49', at: new Date('2026-01-31T10:00:00Z') }),
  ])
  await world.insight(workspace, 2, [said('-5 stars')])
  await world.inside(workspace, (tx) => sql`update insight set name = '=1+1' where issue_number = 2`.execute(tx))
  const answer = await take('csv', [2, 1, 77])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="groundswell-insights.csv"',
    'cache-control': 'no-store',
  })
  const [head, ...lines] = answer.body.split('\r\n')
  expect(head).toBe(
    '\uFEFFissue_number,issue_name,summary,status,mention_count,people_count,first_seen,last_seen,last_updated,tags,team_status,' +
      'customer_count,revenue,mention_date,mention_author,mention_source,mention_place,mention_text,mention_link',
  )
  expect(lines).toEqual([
    expect.stringMatching(/^"2","'=1\+1","what they say","created",.*"'-5 stars",""$/),
    expect.stringMatching(
      /^"1","issue 1",.*"2026-02-01T10:00:00.000Z","'@ann","file","","'=HYPERLINK\(""https:\/\/evil.example""\)","https:\/\/example.com\/1"$/,
    ),
    expect.stringMatching(/^"1","issue 1",.*"'\+49","file","","It ""fails"", again",""$/),
    '',
  ])
})

test('a mention without a known date has none in CSV', async () => {
  await world.insight(workspace, 1, [said('It fails'), said('It fails again')])
  await world.inside(workspace, (tx) => sql`update feedback_item set date_known = text not like '%again%'`.execute(tx))
  const lines = (await take('csv')).body.split('\r\n').filter((line) => line.startsWith('"1"'))
  expect(lines.map((line) => /"([^"]*)","","file","","It fails( again)?",""$/.exec(line)?.slice(1))).toEqual(
    expect.arrayContaining([
      ['2026-02-01T10:00:00.000Z', undefined],
      ['', ' again'],
    ]),
  )
})

test('JSONL has a line for each insight with all its mentions and tags', async () => {
  const description = 'Which part of the product the message is about, in one word'
  const settings = JSON.stringify({ categories: [{ name: 'Area', description }] })
  await world.inside(workspace, (tx) => sql`update workspace set settings = ${settings}::jsonb`.execute(tx))
  await world.insight(
    workspace,
    1,
    Array.from({ length: 30 }, (_, at) => said(`It fails ${at}`)),
  )
  await world.insight(workspace, 2, [said('Too slow')])
  await world.call(
    workspace,
    'PATCH',
    '/api/insights/1/tags',
    {},
    {
      changes: [{ cat_name: 'Area', option_value: 'Export' }],
    },
  )
  const answer = await take('jsonl')
  expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
  const lines = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(lines.map((one) => one.issue_number))).toEqual(new Set([1, 2]))
  expect(lines).toHaveLength(2)
  const first = lines.find((one) => one.issue_number === 1)
  expect(Object.keys(first).toSorted()).toEqual([
    'categories',
    'customer_count',
    'evidence',
    'first_seen',
    'issue_name',
    'issue_number',
    'last_seen',
    'last_updated',
    'mention_count',
    'people_count',
    'sources',
    'status',
    'summary',
  ])
  expect(first).toMatchObject({ mention_count: 30, categories: [{ cat_name: 'Area', option_value: 'Export' }] })
  expect(new Set(first.evidence.map((one: { text: string }) => one.text)).size).toBe(30)
})

test('what is deleted, ended or hidden, and what another workspace has, is left out', async () => {
  for (const number of [1, 2, 3, 4]) await world.insight(workspace, number, [said(`It fails ${number}`)])
  await world.inside(workspace, (tx) =>
    sql`update insight set hidden = issue_number = 1, ended_at = case when issue_number = 2 then now() end,
      deleted_at = case when issue_number = 3 then now() end`.execute(tx),
  )
  const numbersIn = (body: string) =>
    [...body.matchAll(/^\{"issue_number":(\d+)/gm)].map(([, number]) => Number(number))
  expect(numbersIn((await take('jsonl')).body)).toEqual([4])
  expect(numbersIn((await take('jsonl', [1, 2, 3, 4])).body)).toEqual([4])
  expect((await take('jsonl', [4], await world.workspace())).body).toBe('')
})

test('a long list is read as it is consumed, a page at a time, and each mention once', async () => {
  await world.insight(workspace, 1, [said('It fails')])
  await world.inside(workspace, async (tx) => {
    await sql`insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
      select workspace_id, connection_id, 'more ' || n, 'It fails ' || n, '2026-01-01'::timestamptz + (n % 7) * interval '1 day', 1
      from feedback_item, generate_series(1, 1200) n`.execute(tx)
    await sql`insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select workspace_id, id, 0, 0, length(text), 'joined', 1, 1, 'test', said_at from feedback_item
      where external_id like 'more %'`.execute(tx)
  })
  const reads = vi.fn<() => void>()
  const file = exportFile(
    (work) => {
      reads()
      return inWorkspace(world.services.db, workspace, (tx) => work(tx, workspace))
    },
    'jsonl',
    [1],
  )
  await file.next()
  await file.next()
  expect(reads).toHaveBeenCalledTimes(2)
  await file.return(undefined)
  const { evidence } = JSON.parse((await take('jsonl', [1])).body) as { evidence: { id: string }[] }
  expect(new Set(evidence.map((one) => one.id)).size).toBe(1201)
  expect(evidence).toHaveLength(1201)
})

test('a failure while the file is sent ends the connection instead of the file', async () => {
  await world.insight(workspace, 1, [said('It fails')])
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' })
  const connect = world.services.db.pool.connect.bind(world.services.db.pool)
  const spy = vi.spyOn(world.services.db.pool, 'connect')
  spy.mockImplementationOnce(connect as never).mockImplementationOnce(connect as never)
  spy.mockRejectedValue(new Error('the database is gone'))
  const answer = await fetch(`${url}/api/insights/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace}`, 'content-type': 'application/json' },
    body: '{"format": "csv"}',
  })
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow('terminated')
  spy.mockRestore()
})

test.each([{ format: 'xlsx' }, { format: 'csv', issue_numbers: [0] }, {}])('%j is refused', async (payload) => {
  expect((await world.call(workspace, 'POST', '/api/insights/export', {}, payload)).status).toBe(400)
})

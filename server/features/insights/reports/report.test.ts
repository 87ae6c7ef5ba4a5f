import { REPORT_PARTS, type Report } from '@groundswell/contract/reports.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { writeTimeZone } from '../../workspaces/index.ts'
import { findCustomersOf } from '../customers/find-customers.ts'
import { checkInsight } from '../grouping/check-counts.ts'
import { World } from '../testing.ts'

let workspace: string

const world = duringTests(() => World.start())
beforeEach(async () => {
  workspace = await world.workspace()
})

const said = (day: string, text = 'It fails') => ({ message: text, text, at: new Date(`${day}T23:59:59Z`) })

async function report(query: string, of = workspace): Promise<Report> {
  const { status, body } = await world.call(of, 'GET', `/api/insights/report?${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as Report
}

const inside = (statement: ReturnType<typeof sql>) => world.inside(workspace, (tx) => statement.execute(tx))
const totals = ({ series }: Report) => series.map(({ key, total, previous }) => [key, total, previous])

/** Brings the counts up to date, as the next step of grouping does: until then, what changed is in its own rows. */
async function foldCounts(...numbers: number[]): Promise<void> {
  await inside(sql`delete from mention_change`)
  for (const number of numbers) await checkInsight(world.services, workspace, number)
}

test('counts the mentions of a span by day and of as long a time before it', async () => {
  await world.insight(workspace, 1, [said('2026-01-31'), said('2026-02-01'), said('2026-02-01'), said('2026-02-03')])
  await world.insight(workspace, 2, [said('2026-01-29'), said('2026-01-28'), said('2026-02-04')])
  const expected = {
    time_zone: 'UTC',
    from: '2026-02-01',
    to: '2026-02-03',
    previous_from: '2026-01-29',
    unit: 'day',
    starts: ['2026-02-01', '2026-02-02', '2026-02-03'],
    all: { key: null, label: null, counts: [2, 0, 1], total: 3, previous: 2 },
    series: [],
    others: null,
    tag: null,
    tags: [],
    first_day: null,
    last_day: null,
  }
  expect(await report('from=2026-02-01&to=2026-02-03')).toEqual(expected)
  await foldCounts(1, 2)
  const days = { first_day: '2026-01-28', last_day: '2026-02-04' }
  expect(await report('from=2026-02-01&to=2026-02-03')).toEqual({ ...expected, ...days })
})

test('tells of when all mentions are, whatever the span', async () => {
  await world.insight(workspace, 1, [said('2024-03-01'), said('2024-05-20')])
  await world.insight(workspace, 2, [said('2020-01-01')])
  await inside(
    sql`update insight set first_seen = '2024-03-01 23:30Z', last_seen = '2024-05-20', last_date_only = true, deleted_at = case when issue_number = 2 then now() end`,
  )
  const days = async () => {
    const { first_day, last_day, all } = await report('from=2026-02-01&to=2026-02-03')
    return [first_day, last_day, all.total]
  }
  expect(await days()).toEqual(['2024-03-01', '2024-05-20', 0])
  await world.inside(workspace, (tx) => writeTimeZone(tx, workspace, 'Asia/Tokyo', false))
  expect(await days()).toEqual(['2024-03-02', '2024-05-20', 0])
})

test('counts longer spans by week from Monday, or by month, the first one from its first day', async () => {
  await world.insight(workspace, 1, [said('2026-01-01'), said('2026-01-05'), said('2026-01-11'), said('2026-02-09')])
  const weeks = await report('from=2026-01-01&to=2026-02-10')
  expect(weeks.unit).toBe('week')
  expect(weeks.starts.slice(0, 3)).toEqual(['2026-01-01', '2026-01-05', '2026-01-12'])
  expect(weeks.all.counts).toEqual([1, 2, 0, 0, 0, 0, 1])
  const months = await report('from=2024-12-15&to=2026-02-10')
  expect([months.unit, months.starts.slice(0, 2), months.starts.at(-1)]).toEqual([
    'month',
    ['2024-12-15', '2025-01-01'],
    '2026-02-01',
  ])
  expect(months.all.counts.slice(-2)).toEqual([3, 1])
})

test('divides by theme; insights in none are together', async () => {
  await world.insight(workspace, 1, [said('2026-02-01'), said('2026-02-01'), said('2026-01-31')])
  await world.insight(workspace, 2, [said('2026-02-02')])
  await world.insight(workspace, 3, [said('2026-02-02')])
  await inside(sql`insert into theme (workspace_id, id, name, by_person)
    select workspace_id, 7, 'Exports', true from workspace`)
  await inside(sql`insert into insight_theme (workspace_id, issue_number, engine_theme)
    select workspace_id, n, 7 from workspace, generate_series(1, 2) n`)
  const { series, all } = await report('from=2026-02-01&to=2026-02-02&by=theme')
  expect(series).toEqual([
    { key: '7', label: 'Exports', counts: [2, 1], total: 3, previous: 1 },
    { key: null, label: null, counts: [0, 1], total: 1, previous: 0 },
  ])
  expect(all).toMatchObject({ counts: [2, 2], total: 4, previous: 1 })
})

test('divides by the values of a tag', async () => {
  const description = 'Which part of the product the message is about, in one word'
  const categories = ['Area', 'Mood'].map((name) => ({ name, description }))
  await inside(sql`update workspace set settings = ${JSON.stringify({ categories })}::jsonb`)
  await world.insight(workspace, 1, [said('2026-02-01')])
  await world.insight(workspace, 2, [said('2026-02-01'), said('2026-02-01')])
  for (const [number, cat_name, option_value] of [
    [1, 'Area', 'Export'],
    [1, 'Mood', 'Bad'],
  ] as const) {
    await world.call(workspace, 'PATCH', `/api/insights/${number}/tags`, {}, { changes: [{ cat_name, option_value }] })
  }
  const first = await report('from=2026-02-01&to=2026-02-01&by=tag')
  expect([first.tags, first.tag, totals(first)]).toEqual([
    ['Area', 'Mood'],
    'Area',
    [
      [null, 2, 0],
      ['Export', 1, 0],
    ],
  ])
  expect(totals(await report('from=2026-02-01&to=2026-02-01&by=tag&tag=Mood'))).toContainEqual(['Bad', 1, 0])
})

test('divides by kind and by source, before and after the counts are brought up to date', async () => {
  await world.insight(workspace, 1, [said('2026-02-01', 'one'), said('2026-02-02', 'two'), said('2026-01-31', 'three')])
  await inside(sql`update statement set feedback_kind = 'request', kind_by = 'model' where end_offset = 5`)
  await inside(sql`update statement set feedback_kind = 'problem', kind_by = 'model' where end_offset = 3`)
  const query = 'from=2026-02-01&to=2026-02-02'
  expect(totals(await report(`${query}&by=kind`))).toEqual([
    ['problem', 2, 0],
    ['request', 0, 1],
  ])
  const bySource = [['file', 2, 1]]
  expect(totals(await report(`${query}&by=source`))).toEqual(bySource)
  await foldCounts(1)
  expect(totals(await report(`${query}&by=source`))).toEqual(bySource)
})

test('divides by plan, region and revenue of the customers behind the mentions', async () => {
  await world.insight(workspace, 1, [said('2026-02-01'), said('2026-02-01'), said('2026-02-02'), said('2026-01-31')])
  await inside(sql`insert into customer (workspace_id, key, name, name_key, plan, revenue, region)
    select workspace_id, key, key, key, plan, revenue, region from workspace,
      (values ('a.example', 'Pro', 999, 'EU'), ('b.example', ' Pro ', 1000, null), ('c.example', null, null, 'EU'))
        told (key, plan, revenue, region)`)
  // The last mention has no customer.
  await inside(sql`insert into feedback_customer (workspace_id, item_id, customer_id)
    select customer.workspace_id, item.id, customer.id
    from (select id, row_number() over (order by id) as place from feedback_item) item
    join (select *, row_number() over (order by key) as place from customer) customer using (place)`)
  const query = 'from=2026-02-01&to=2026-02-02'
  expect(totals(await report(`${query}&by=plan`))).toEqual([
    ['Pro', 2, 0],
    [null, 1, 1],
  ])
  expect((await report(`${query}&by=region`)).series).toEqual([
    { key: 'EU', label: null, counts: [1, 1], total: 2, previous: 0 },
    { key: null, label: null, counts: [1, 0], total: 1, previous: 1 },
  ])
  expect(totals(await report(`${query}&by=revenue`))).toEqual([
    [null, 1, 1],
    ['0', 1, 0],
    ['1000', 1, 0],
  ])
})

test('leaves out what is not shown, and what another workspace has', async () => {
  for (const number of [1, 2, 3, 4]) await world.insight(workspace, number, [said('2026-02-01')])
  await inside(sql`update insight set hidden = issue_number = 1, ended_at = case when issue_number = 2 then now() end,
    deleted_at = case when issue_number = 3 then now() end`)
  for (const by of REPORT_PARTS) {
    const query = `from=2026-02-01&to=2026-02-01&by=${by}`
    expect([by, (await report(query)).all.total]).toEqual([by, 1])
    expect([by, (await report(query, await world.workspace())).all.total]).toEqual([by, 0])
  }
})

test('keeps the largest parts, and counts the rest together', async () => {
  await inside(sql`insert into theme (workspace_id, id, name, by_person)
    select workspace_id, n, 'Theme ' || n, true from workspace, generate_series(1, 10) n`)
  for (let number = 1; number <= 10; number += 1) {
    await world.insight(
      workspace,
      number,
      Array.from({ length: 11 - number }, () => said('2026-02-01')),
    )
  }
  await inside(sql`insert into insight_theme (workspace_id, issue_number, engine_theme)
    select workspace_id, n, n from workspace, generate_series(1, 10) n`)
  const { series, others, all } = await report('from=2026-02-01&to=2026-02-01&by=theme')
  expect(series.map((one) => one.total)).toEqual([10, 9, 8, 7, 6, 5, 4])
  expect([others?.total, others?.counts, all.total]).toEqual([6, [6], 55])
})

test.each([
  'from=2026-02-02&to=2026-02-01',
  'from=2020-01-01&to=2026-01-01',
  'from=soon&to=2026-01-01',
  'from=2026-01-01',
])('%s is refused', async (query) => {
  expect((await world.call(workspace, 'GET', `/api/insights/report?${query}`)).status).toBe(400)
})

/** Insight 1 with two messages that have attributes of one day and one of the day before, insight 2 with one that has none. */
async function sayWithAttributes(): Promise<void> {
  const one = (day: string, attributes: Record<string, string>) => ({ ...said(day), attributes })
  await world.insight(workspace, 1, [
    one('2026-02-01', { rating: '1', plan: 'Pro' }),
    one('2026-02-02', { rating: '2', plan: 'Free' }),
    one('2026-01-31', { Rating: '10', plan: 'Pro' }),
  ])
  await world.insight(workspace, 2, [said('2026-02-01'), one('2026-02-01', { rating: '10' })])
  await inside(sql`update feedback_item set grouped_seq = 1`)
  await inside(sql`insert into customer_fill (workspace_id) values (${workspace})`)
  await findCustomersOf(world.services, workspace, { changed: async () => undefined })
}

test.each(['UTC', 'Europe/Berlin'])(
  'divides by the values of an attribute, numbers in their order, in %s',
  async (zone) => {
    await sayWithAttributes()
    await world.inside(workspace, (tx) => writeTimeZone(tx, workspace, zone, false))
    const found = await report('from=2026-02-01&to=2026-02-02&by=attribute&attribute=RATING')
    const late = zone !== 'UTC'
    expect(found.attribute).toBe('RATING')
    expect(totals(found)).toEqual(
      late
        ? [
            ['1', 1, 0],
            ['10', 2, 0],
            [null, 1, 0],
          ]
        : [
            ['1', 1, 0],
            ['2', 1, 0],
            ['10', 1, 1],
            [null, 1, 0],
          ],
    )
  },
)

test.each(REPORT_PARTS)('counts only mentions whose message has the chosen values, by %s', async (by) => {
  await sayWithAttributes()
  const counted = async (chosen: string) => {
    const { all } = await report(
      `from=2026-02-01&to=2026-02-02&by=${by}&attribute=plan&attributes=${encodeURIComponent(chosen)}`,
    )
    return [all.total, all.previous]
  }
  expect(await counted('')).toEqual([4, 1])
  expect(await counted('rating=1&rating=10')).toEqual([2, 1])
  // Both by the same message.
  expect(await counted('rating=1&plan=free')).toEqual([0, 0])
  expect(await counted('rating=2&plan=free')).toEqual([1, 0])
  expect(await counted('rating=7')).toEqual([0, 0])
  expect(await counted('colour=red')).toEqual([0, 0])
})

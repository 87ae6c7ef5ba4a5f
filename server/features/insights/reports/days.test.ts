import { type getReportPart, REPORT_PARTS, type Report } from '@groundswell/contract/reports.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayIn } from '../../../platform/day.ts'
import { writeTimeZone } from '../../workspaces/index.ts'
import { RandomChanges, randomFrom } from '../changes/testing.ts'
import { corrected, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'
import { countDays } from './count-days.ts'
import { countDueDays, readDayRows } from './day-store.ts'

useFreshWorkspaces()

const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Honolulu', 'Pacific/Kiritimati', 'Atlantic/Azores']
const SPANS = ['from=2026-01-20&to=2026-02-10', 'from=2026-01-03&to=2026-03-15', 'from=2024-03-01&to=2026-03-20']
const DIMENSIONS = ['kind', 'source', 'plan', 'region', 'revenue', 'attribute'] as const
const BANDS = [0, 1_000, 10_000, 100_000, 1_000_000]

const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await world.inside(corrected.workspace, (tx) => query.execute(tx))).rows

type Mention = {
  issue: number
  shown: boolean
  at: Date
  day: string
  dateOnly: boolean
  kind: string | null
  source: string
  plan: string | null
  region: string | null
  revenue: number | null
  attribute: string | null
}

/** Every mention of an insight, one by one. */
const mentions = () =>
  rowsOf(sql<Mention>`
    select s.issue_number as issue, insight.deleted_at is null and insight.ended_at is null and not insight.hidden as shown, s.said_at as at,
      to_char(s.said_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.date_only as "dateOnly",
      case when s.reason <> 'agrees within its conversation' then s.feedback_kind end as kind, connection.connector as source,
      nullif(customer.plan, '') as plan, nullif(customer.region, '') as region, customer.revenue,
      (select value.value from feedback_attribute own join attribute_value value on value.id = any(own.value_ids) and value.name_key = 'rating'
        where own.item_id = s.item_id) as attribute
    from statement s join insight on insight.issue_number = s.issue_number
    join feedback_item item on item.id = s.item_id
    join connection on connection.id = item.connection_id
    left join feedback_customer said on said.item_id = s.item_id
    left join customer on customer.id = said.customer_id`)

function keyOf(mention: Mention, by: (typeof DIMENSIONS)[number]): string | null {
  if (by !== 'revenue') return mention[by]
  const { revenue } = mention
  return revenue === null ? null : String(BANDS.findLast((band) => band <= revenue))
}

const sorted = (parts: Iterable<readonly [string | null, number, number]>) =>
  [...parts]
    .filter(([, total, previous]) => total + previous > 0)
    .sort((a, b) => String(a[0]).localeCompare(String(b[0])))

/** Compares reports with the mentions; `rating`: only with those whose message has this rating. */
async function expectReports(zone: string, span: string, rating?: string): Promise<void> {
  await world.inside(corrected.workspace, (tx) => writeTimeZone(tx, corrected.workspace, zone, false))
  const all = (await mentions()).filter((one) => one.shown && (rating === undefined || one.attribute === rating))
  const filter = rating === undefined ? '' : `&attributes=${encodeURIComponent(`rating=${rating}`)}`
  for (const by of REPORT_PARTS) {
    const { status, body } = await world.call(
      corrected.workspace,
      'GET',
      `/api/insights/report?${span}&by=${by}&attribute=rating${filter}`,
    )
    expect(status).toBe(200)
    const report = body as Report
    const said = all.map((one) => ({ ...one, own: one.dateOnly ? one.day : dayIn(one.at, zone) }))
    const inSpan = said.filter(({ own }) => own >= report.from && own <= report.to)
    const before = said.filter(({ own }) => own >= report.previous_from && own < report.from)
    const counts = report.starts.map(
      (start, at) => inSpan.filter(({ own }) => own >= start && own < (report.starts[at + 1] ?? '9999')).length,
    )
    expect({ by, zone, span, ...report.all }).toEqual({
      by,
      zone,
      span,
      key: null,
      label: null,
      counts,
      total: inSpan.length,
      previous: before.length,
    })
    const dimension = DIMENSIONS.find((one) => one === by)
    if (dimension === undefined) continue
    const keys = new Set(said.map((one) => keyOf(one, dimension)))
    const of = (some: typeof said, key: string | null) => some.filter((one) => keyOf(one, dimension) === key).length
    expect({
      by,
      zone,
      span,
      parts: sorted(report.series.map(({ key, total, previous }) => [key, total, previous])),
    }).toEqual({
      by,
      zone,
      span,
      parts: sorted([...keys].map((key) => [key, of(inSpan, key), of(before, key)] as const)),
    })
    if (keys.size === 0) continue
    // One of the parts, a different one each time.
    const key = [...keys].toSorted((a, b) => String(a).localeCompare(String(b)))[said.length % keys.size] ?? null
    const part = key === null ? '' : `&key=${encodeURIComponent(key)}`
    const behind = await world.call(
      corrected.workspace,
      'GET',
      `/api/insights/report/part?${span}&by=${by}&attribute=rating${filter}${part}`,
    )
    const { insights, others } = behind.body as ReplyOf<typeof getReportPart>
    const count = (some: typeof said, issue: number) =>
      some.filter((one) => one.issue === issue && keyOf(one, dimension) === key).length
    expect({ by, key, zone, span, insights }).toEqual({
      by,
      key,
      zone,
      span,
      insights: insights.map((one) => ({
        ...one,
        total: count(inSpan, one.issue_number),
        previous: count(before, one.issue_number),
      })),
    })
    const sum = (what: 'total' | 'previous') => insights.reduce((so, one) => so + one[what], others[what])
    expect([sum('total'), sum('previous')]).toEqual([of(inSpan, key), of(before, key)])
  }
}

/** Stored counts of a dimension: the mentions of all insights. */
async function expectStoredCounts(): Promise<void> {
  const all = await mentions()
  for (const dimension of DIMENSIONS.filter((one) => one !== 'attribute')) {
    const counted = new Map<string, number>()
    for (const one of all) {
      const place = `${one.day} ${keyOf(one, dimension) ?? ''}`
      counted.set(place, (counted.get(place) ?? 0) + 1)
    }
    const stored = await rowsOf(sql<{ place: string; mentions: number }>`
      select to_char(day, 'YYYY-MM-DD') || ' ' || key as place, mentions from report_day where dimension = ${dimension}`)
    expect(new Map(stored.map(({ place, mentions }) => [place, mentions]))).toEqual(counted)
  }
}

/** Customers become others: in the list, by hand. */
async function changeSegment(random: () => number): Promise<void> {
  const pick = (from: readonly (string | null)[]) => from[Math.floor(random() * from.length)] ?? null
  await rowsOf(sql`
    update customer set plan = ${pick(['Free', 'Pro', '', null])}, region = ${pick(['EMEA', 'APAC', null])}, listed_fields = '{plan,region}'
    where id = (select id from customer order by md5(key || ${String(random())}) limit 1)`)
}

test.each([1, 2, 3])(
  'a report counts like its mentions after random changes, whatever is counted by day already (sequence %i)',
  async (seed) => {
    const changes = new RandomChanges(seed)
    const random = randomFrom(seed)
    for (let at = 0; at < 14; at += 1) {
      await changes.next()
      if (random() < 0.4) await changeSegment(random)
      const settled = random()
      if (settled < 0.3) await countDays(world.services)
      else if (settled < 0.6) await world.inside(corrected.workspace, (tx) => countDueDays(tx, corrected.workspace, 2))
      const rating = at % 3 === 1 ? String(Math.floor(random() * 5)) : undefined
      await expectReports(ZONES[at % ZONES.length] ?? 'UTC', SPANS[at % SPANS.length] ?? '', rating)
    }
    await countDays(world.services)
    expect(await rowsOf(sql`select from report_day_due`)).toEqual([])
    await expectStoredCounts()
    for (const zone of ['UTC', 'Asia/Kolkata', 'Atlantic/Azores']) await expectReports(zone, SPANS[1] ?? '')
  },
  240_000,
)

test('after the update everything waits, and is counted in the background', async () => {
  await rowsOf(sql`delete from report_day`)
  await rowsOf(sql`delete from report_day_due`)
  await rowsOf(sql`insert into report_day_due (workspace_id) select workspace_id from workspace`)
  await expectReports('UTC', SPANS[2] ?? '')
  await countDays(world.services)
  expect(await rowsOf(sql`select from report_day_due`)).toEqual([])
  await expectStoredCounts()
  await expectReports('Europe/Berlin', SPANS[2] ?? '')
})

test('days that the version before counted, without their mentions, are counted again', async () => {
  await countDays(world.services)
  await rowsOf(sql`update report_day set insights = null, minutes = null, places = null where day > '2026-01-20'`)
  await expectReports('Asia/Kolkata', SPANS[1] ?? '')
  await rowsOf(sql`update statement set reason = reason || '.' where issue_number is not null and (item_id, number) in (
    select item_id, number from statement where issue_number is not null limit 1)`)
  await countDays(world.services)
  expect(await rowsOf(sql`select from report_day where dimension = 'all' and insights is null`)).toEqual([])
  await expectReports('Asia/Kolkata', SPANS[1] ?? '')
})

test('the last moment of a day is of that day, or of the next in a zone ahead', async () => {
  await rowsOf(sql`
    update statement set date_only = false, said_at = date_trunc('day', said_at, 'UTC') + interval '23:59:59.7'
    where issue_number is not null and item_id % 2 = 0`)
  await countDays(world.services)
  expect(await rowsOf(sql`select from report_day_due`)).toEqual([])
  for (const zone of ['UTC', 'Asia/Kolkata', 'Pacific/Honolulu']) await expectReports(zone, SPANS[0] ?? '')
})

test('a day without a time that becomes a moment is counted again', async () => {
  const make = (dateOnly: boolean) =>
    rowsOf(sql`
    update statement set date_only = ${dateOnly}, said_at = date_trunc('day', said_at, 'UTC') where issue_number is not null`)
  await make(true)
  await countDays(world.services)
  await expectReports('Pacific/Honolulu', SPANS[0] ?? '')
  await make(false)
  expect(await rowsOf(sql`select from report_day_due`)).not.toEqual([])
  await expectReports('Pacific/Honolulu', SPANS[0] ?? '')
  await countDays(world.services)
  await expectReports('Pacific/Honolulu', SPANS[0] ?? '')
})

test('a day that waits is read without looking into the insights that have no mentions on it', async () => {
  const INSIGHTS = 3_000
  await rowsOf(sql`
    insert into insight (workspace_id, issue_number, name, summary, mention_count)
    select workspace_id, 1000 + n, 'quiet', '', 0 from workspace, generate_series(1, ${INSIGHTS}) n
    where workspace_id = ${corrected.workspace}`)
  await countDays(world.services)
  await rowsOf(sql`update statement set reason = reason || '.' where issue_number is not null and (item_id, number) in (
    select item_id, number from statement where issue_number is not null limit 1)`)
  await world.inside(corrected.workspace, async (tx) => {
    const lookedUp = async () => {
      const { rows } = await sql<{ scans: number }>`
        select idx_scan::int as scans from pg_stat_xact_user_tables where relname = 'statement'`.execute(tx)
      return rows[0]?.scans ?? 0
    }
    const asked = { first: '2020-01-01', last: '2030-01-01', due: 'few', parts: [], minutes: true } as const
    const before = await lookedUp()
    const rows = await readDayRows(tx, corrected.workspace, asked)
    expect(await lookedUp()).toBeLessThan(before + INSIGHTS / 3)
    await countDueDays(tx, corrected.workspace, 20)
    expect(await lookedUp()).toBeLessThan(before + INSIGHTS / 2)
    const counted = await readDayRows(tx, corrected.workspace, { ...asked, due: 'none' })
    const inOrder = (some: typeof rows) => some.toSorted((a, b) => a.day.localeCompare(b.day))
    expect(inOrder(counted)).toEqual(inOrder(rows))
  })
  // A version before this one does not say which insights a day waits for: then any may have mentions on it.
  await rowsOf(
    sql`insert into report_day_due (workspace_id, day) select workspace_id, min(day) from report_day group by 1`,
  )
  await expectReports('Asia/Kolkata', SPANS[1] ?? '')
})

test('a mention that moves while its day is counted is counted once more', async () => {
  await countDays(world.services)
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const moving = world.inside(corrected.workspace, async (tx) => {
    await sql`update statement set said_at = said_at + interval '3 days' where issue_number is not null`.execute(tx)
    begun.resolve()
    await finish.promise
  })
  await begun.promise
  await countDays(world.services)
  finish.resolve()
  await moving
  expect(await rowsOf(sql`select from report_day_due`)).not.toEqual([])
  await expectReports('UTC', SPANS[1] ?? '')
  await countDays(world.services)
  await expectStoredCounts()
})

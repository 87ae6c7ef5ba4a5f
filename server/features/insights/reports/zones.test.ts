import { REPORT_PARTS, type Report } from '@groundswell/contract/reports.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { writeTimeZone } from '../../workspaces/index.ts'
import { World } from '../testing.ts'

let workspace: string

const world = duringTests(() => World.start())
beforeEach(async () => {
  workspace = await world.workspace()
})

const said = (at: string, more: { dateOnly?: true } = {}) => ({
  message: 'It fails',
  text: 'It fails',
  at: new Date(at),
  ...more,
})
const day = (date: string) => said(`${date}T00:00:00Z`, { dateOnly: true })
const choose = (zone: string) => world.inside(workspace, (tx) => writeTimeZone(tx, workspace, zone, false))

async function report(query: string): Promise<Report> {
  const { status, body } = await world.call(workspace, 'GET', `/api/insights/report?${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as Report
}

test.each([
  ['UTC', [1, 3, 1]],
  // 02:30 on the second there.
  ['Asia/Kolkata', [1, 2, 2]],
  // The evening of the first there.
  ['Pacific/Honolulu', [2, 2, 1]],
])('a moment counts on its day in %s, and a day without a time on that day', async (zone, counts) => {
  await world.insight(workspace, 1, [
    day('2026-02-01'),
    day('2026-02-02'),
    said('2026-02-02T05:00:00Z'),
    said('2026-02-02T21:00:00Z'),
    day('2026-02-03'),
  ])
  await choose(zone)
  for (const by of REPORT_PARTS) {
    const found = await report(`from=2026-02-01&to=2026-02-03&by=${by}`)
    expect([by, found.time_zone, found.all.counts]).toEqual([by, zone, counts])
  }
})

test('the span begins and ends with the days of the zone, and so does the time before it', async () => {
  await world.insight(workspace, 1, [
    said('2026-02-01T03:59:59Z'),
    said('2026-02-01T05:00:00Z'),
    said('2026-02-02T04:59:59Z'),
    said('2026-02-02T05:00:00Z'),
    said('2026-01-31T04:59:59Z'),
    day('2026-01-31'),
  ])
  await choose('America/New_York')
  for (const by of ['none', 'source', 'kind', 'plan']) {
    const { all } = await report(`from=2026-02-01&to=2026-02-01&by=${by}`)
    expect([by, all.total, all.previous]).toEqual([by, 2, 2])
  }
})

test('a day is 23 or 25 hours long where the clock changes', async () => {
  await world.insight(workspace, 1, [
    said('2026-03-28T22:59:59Z'),
    said('2026-03-28T23:00:00Z'),
    said('2026-03-29T21:59:59Z'),
    said('2026-03-29T22:00:00Z'),
    said('2026-10-24T22:00:00Z'),
    said('2026-10-25T22:59:59Z'),
    said('2026-10-25T23:00:00Z'),
  ])
  await choose('Europe/Berlin')
  expect((await report('from=2026-03-28&to=2026-03-30')).all.counts).toEqual([1, 2, 1])
  expect((await report('from=2026-10-25&to=2026-10-26')).all.counts).toEqual([2, 1])
})

test('weeks and months begin at midnight of the zone', async () => {
  await world.insight(workspace, 1, [said('2026-01-31T20:00:00Z'), said('2026-02-01T20:00:00Z'), day('2026-02-01')])
  await choose('Asia/Tokyo')
  expect((await report('from=2025-12-01&to=2026-02-28')).all.counts.slice(8, 10)).toEqual([2, 1])
  const months = await report('from=2025-01-01&to=2026-02-28')
  expect(months.all.counts.slice(-2)).toEqual([0, 3])
})

test('the trend of an insight has the days of the zone, up to what is today there', async () => {
  world.now = new Date('2026-02-03T01:00:00Z')
  await world.insight(workspace, 1, [day('2026-02-01'), said('2026-02-02T03:00:00Z'), said('2026-02-02T12:00:00Z')])
  await world.inside(workspace, (tx) =>
    sql`update insight set first_seen = '2026-02-01', first_date_only = true, last_seen = '2026-02-02 12:00Z'`.execute(
      tx,
    ),
  )
  const timeline = async () =>
    ((await world.call(workspace, 'GET', '/api/insights/1/detail')).body as { timeline: object }).timeline
  expect(await timeline()).toEqual({ unit: 'day', from: '2026-02-01T00:00:00.000Z', counts: [1, 2, 0] })
  await choose('America/Los_Angeles')
  expect(await timeline()).toEqual({ unit: 'day', from: '2026-02-01T00:00:00.000Z', counts: [2, 1] })
})

import { type getReportChanges, type getReportPart, REPORT_PARTS } from '@groundswell/contract/reports.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
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

const said = (day: string, text = 'It fails') => ({ message: text, text, at: new Date(`${day}T12:00:00Z`) })
const saidOften = (day: string, times: number) => Array.from({ length: times }, () => said(day))
const inside = (statement: ReturnType<typeof sql>) => world.inside(workspace, (tx) => statement.execute(tx))

async function ask<R>(path: string, of = workspace): Promise<R> {
  const { status, body } = await world.call(of, 'GET', `/api/insights/report/${path}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as R
}
const part = (query: string, of?: string) => ask<ReplyOf<typeof getReportPart>>(`part?${query}`, of)
const changes = (query: string, of?: string) => ask<ReplyOf<typeof getReportChanges>>(`changes?${query}`, of)

const SPAN = 'from=2026-02-01&to=2026-02-10'

/** Insights 1 and 2 in the theme Sign-in, 3 in none. Sign-in has one mention a day until 5 February and five a day from then on. */
async function signInGrows(): Promise<void> {
  const days = Array.from({ length: 20 }, (_, place) =>
    new Date(Date.UTC(2026, 0, 22 + place)).toISOString().slice(0, 10),
  )
  await world.insight(
    workspace,
    1,
    days.map((day) => said(day)),
  )
  await world.insight(
    workspace,
    2,
    days.filter((day) => day >= '2026-02-05').flatMap((day) => saidOften(day, 4)),
  )
  await world.insight(
    workspace,
    3,
    days.map((day) => said(day)),
  )
  await inside(
    sql`insert into theme (workspace_id, id, name, by_person) select workspace_id, 7, 'Sign-in', true from workspace`,
  )
  await inside(sql`insert into insight_theme (workspace_id, issue_number, engine_theme)
    select workspace_id, n, 7 from workspace, generate_series(1, 2) n`)
}

/** The customers of insight 2 are on the plan Enterprise, the others on Free. */
async function plans(): Promise<void> {
  await inside(sql`insert into customer (workspace_id, key, name, name_key, plan)
    select workspace_id, plan, plan, plan, plan from workspace, unnest(array['Enterprise', 'Free']) plan`)
  await inside(sql`insert into feedback_customer (workspace_id, item_id, customer_id)
    select statement.workspace_id, item_id, customer.id from statement
    join customer on customer.plan = case issue_number when 2 then 'Enterprise' else 'Free' end`)
}

test.each(['UTC', 'Europe/Berlin'])('says what changed, since when, and what most of it is of, in %s', async (zone) => {
  await signInGrows()
  await plans()
  await world.inside(workspace, (tx) => writeTimeZone(tx, workspace, zone, false))
  const signIn = { key: '7', label: 'Sign-in', issue_number: null, total: 34, previous: 10, since: '2026-02-05' }
  const { changes: found } = await changes(`${SPAN}&by=theme`)
  expect(found).toEqual([{ ...signIn, mostly: { by: 'plan', key: 'Enterprise', label: null } }])
  expect((await changes(SPAN)).changes).toEqual([
    { key: null, label: 'issue 2', issue_number: 2, total: 24, previous: 0, since: '2026-02-05', mostly: null },
  ])
  expect((await changes(`${SPAN}&by=plan`)).changes).toEqual([
    {
      key: 'Enterprise',
      label: null,
      issue_number: null,
      total: 24,
      previous: 0,
      since: '2026-02-05',
      mostly: null,
    },
  ])
  expect((await changes(`${SPAN}&by=source`)).changes).toEqual([
    {
      key: 'file',
      label: null,
      issue_number: null,
      total: 44,
      previous: 20,
      since: '2026-02-05',
      mostly: { by: 'theme', key: '7', label: 'Sign-in' },
    },
  ])
})

test('insights in no theme are told one by one', async () => {
  await signInGrows()
  await inside(sql`delete from insight_theme where issue_number = 2`)
  expect((await changes(`${SPAN}&by=theme`)).changes).toMatchObject([{ issue_number: 2, label: 'issue 2', key: null }])
})

test('nothing is new where there was nothing before', async () => {
  await world.insight(workspace, 1, saidOften('2026-02-03', 12))
  expect((await changes(SPAN)).changes).toEqual([])
})

test('says what was said in the span and is not counted', async () => {
  for (const number of [1, 2, 3, 4, 5, 6])
    await world.insight(workspace, number, [said('2026-02-01'), said('2026-01-31')])
  await inside(
    sql`update insight set deleted_at = case when issue_number = 2 then now() end, hidden = issue_number = 3`,
  )
  await inside(sql`update statement set kind = 'pending', issue_number = null where issue_number = 4`)
  await inside(sql`update statement set kind = 'noise', issue_number = null where issue_number = 5`)
  await inside(
    sql`update statement set kind = 'pending', issue_number = null, emerging_number = 9 where issue_number = 6`,
  )
  for (const zone of ['UTC', 'Europe/Berlin']) {
    await world.inside(workspace, (tx) => writeTimeZone(tx, workspace, zone, false))
    const { excluded } = await changes('from=2026-02-01&to=2026-02-01')
    expect([zone, excluded]).toEqual([zone, { ungrouped: 2, emerging: 1, small_talk: 1, deleted: 1 }])
  }
})

test('the insights behind each part add up to the part, most mentions first', async () => {
  await signInGrows()
  await plans()
  const theme = await part(`${SPAN}&by=theme&key=7`)
  expect(theme).toEqual({
    insights: [
      { issue_number: 2, name: 'issue 2', total: 24, previous: 0 },
      { issue_number: 1, name: 'issue 1', total: 10, previous: 10 },
    ],
    others: { insights: 0, total: 0, previous: 0 },
  })
  expect((await part(`${SPAN}&by=theme`)).insights.map((one) => one.issue_number)).toEqual([3])
  expect((await part(`${SPAN}&by=plan&key=Free`)).insights.map((one) => one.issue_number)).toEqual([1, 3])
  expect((await part(`${SPAN}&by=plan&key=Gold`)).insights).toEqual([])
  for (const by of REPORT_PARTS) {
    const { body } = await world.call(workspace, 'GET', `/api/insights/report?${SPAN}&by=${by}&attribute=rating`)
    const { series, all } = body as {
      series: { key: string | null; total: number; previous: number }[]
      all: { total: number }
    }
    for (const { key, total, previous } of by === 'none' ? [{ key: null, total: all.total, previous: 20 }] : series) {
      const { insights } = await part(`${SPAN}&by=${by}&attribute=rating${key === null ? '' : `&key=${key}`}`)
      const sum = (of: 'total' | 'previous') => insights.reduce((all, one) => all + one[of], 0)
      expect([by, key, sum('total'), sum('previous')]).toEqual([by, key, total, previous])
    }
  }
})

test.each(['UTC', 'Europe/Berlin'])(
  'the insights behind a part are counted by the days of the span, in %s',
  async (zone) => {
    await world.insight(
      workspace,
      1,
      ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'].map((day) => said(day)),
    )
    await world.inside(workspace, (tx) => writeTimeZone(tx, workspace, zone, false))
    const { insights } = await part('from=2026-02-01&to=2026-02-01')
    expect(insights).toEqual([{ issue_number: 1, name: 'issue 1', total: 1, previous: 1 }])
  },
)

test('a part lists eight insights and counts the others', async () => {
  for (let number = 1; number <= 10; number += 1)
    await world.insight(workspace, number, saidOften('2026-02-01', 11 - number))
  const { insights, others } = await part(SPAN)
  expect(insights.map((one) => one.total)).toEqual([10, 9, 8, 7, 6, 5, 4, 3])
  expect(others).toEqual({ insights: 2, total: 3, previous: 0 })
})

test('the insights behind a value of an attribute are those whose messages have it', async () => {
  const rated = (rating: string) => ({ ...said('2026-02-01'), attributes: { rating } })
  await world.insight(workspace, 1, [rated('1'), rated('1')])
  await world.insight(workspace, 2, [rated('5'), said('2026-02-01')])
  await inside(sql`insert into attribute_value (workspace_id, id, name, name_key, value, value_key)
    select workspace_id, n, 'rating', 'rating', n, n from workspace, unnest(array[1, 5]) n`)
  await inside(sql`insert into feedback_attribute (workspace_id, item_id, value_ids)
    select workspace_id, id, array[(attributes->>'rating')::int] from feedback_item where attributes ? 'rating'`)
  const numbers = async (query: string) =>
    (await part(`${SPAN}&by=attribute&attribute=rating${query}`)).insights.map((one) => one.issue_number)
  expect(await numbers('&key=1')).toEqual([1])
  expect(await numbers('')).toEqual([2])
  expect(await numbers('&key=7')).toEqual([])
})

test('a workspace sees nothing of another one', async () => {
  await signInGrows()
  const other = await world.workspace()
  expect((await part(`${SPAN}&by=theme&key=7`, other)).insights).toEqual([])
  expect(await changes(SPAN, other)).toEqual({
    changes: [],
    excluded: { ungrouped: 0, emerging: 0, small_talk: 0, deleted: 0 },
  })
})

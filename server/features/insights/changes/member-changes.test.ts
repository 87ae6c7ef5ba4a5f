import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { listChanges } from '@groundswell/contract/insights/visits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { corrected, csv, mail, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'
import { messages } from '../corrections/testing.ts'
import { readChanges, readDailyChanges } from './member-changes.ts'
import { RandomChanges, randomFrom } from './testing.ts'

useFreshWorkspaces()

const HOUR_MS = 3_600_000
const ALL_DAYS = 1_000

const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await world.inside(corrected.workspace, (tx) => query.execute(tx))).rows

/** The messages of the workspace arrived when its clock says, and not when the test ran. */
async function arriveNow(): Promise<void> {
  await rowsOf(sql`update feedback_item set stored_at = ${world.now} where stored_at > ${world.now}`)
  await rowsOf(sql`update mention_move set arrived_at = ${world.now} where arrived_at > ${world.now}`)
}

/** What the list shows: how many mentions each insight has. */
async function counts(): Promise<Map<number, number>> {
  const rows = await rowsOf(sql<{ number: number; count: number }>`
    select issue_number as number, mention_count as count from insight
    where deleted_at is null and ended_at is null and not hidden`)
  return new Map(rows.map(({ number, count }) => [number, count]))
}

/** The same of all insights, counted from the mentions. */
async function counted(): Promise<Map<number, number>> {
  const rows = await rowsOf(sql<{ number: number; count: number }>`
    select issue_number as number, count(*)::int as count from statement where issue_number is not null group by 1`)
  return new Map(rows.map(({ number, count }) => [number, count]))
}

const changesSince = (since: Date) =>
  world.inside(corrected.workspace, (tx) => readChanges(tx, corrected.workspace, since))
const dailyChanges = (number: number) =>
  world.inside(corrected.workspace, (tx) => readDailyChanges(tx, corrected.workspace, number, ALL_DAYS))
const dayAt = (at: Date) => at.toISOString().slice(0, 10)
const pass = (hours: number) => {
  world.now = new Date(world.now.getTime() + hours * HOUR_MS)
}

test.each([1, 2, 3])(
  'over random days, what was there and the changes since are what is there, by every account (sequence %i)',
  async (seed) => {
    world.now = new Date('2026-03-02T10:20:00Z')
    await arriveNow()
    const random = randomFrom(seed)
    const changes = new RandomChanges(seed)
    const seen = [{ at: world.now, counts: await counted() }]
    const did: string[] = []
    const see = async () => {
      await corrected.group()
      seen.push({ at: world.now, counts: await counted() })
    }
    for (let step = 1; step <= 42; step += 1) {
      const day = dayAt(world.now)
      const next = new Date(world.now.getTime() + random() * 6 * HOUR_MS)
      if (dayAt(next) > day) {
        world.now = new Date(`${day}T23:59:59Z`)
        await see()
      }
      world.now = next
      did.push(await changes.next())
      if (step % 3 > 0) continue
      pass(0.1)
      await see()
    }
    const now = await counts()
    expect(now.size).toBeGreaterThan(0)
    for (const { at, counts: before } of seen) {
      const changed = new Map((await changesSince(at)).map((one) => [one.issueNumber, one.change.count]))
      const from = [...now.keys()].map((number) => [number, (before.get(number) ?? 0) + (changed.get(number) ?? 0)])
      expect({ did, at, counts: from }).toEqual({ did, at, counts: [...now] })
    }
    const first = seen[0]?.at ?? world.now
    const asked = await world.call(corrected.workspace, 'GET', `/api/insights/changes?since=${first.toISOString()}`)
    const members = new Map(listChanges.reply.parse(asked.body).changed?.map((one) => [one.issue_number, one]))
    expect(members.size).toBeGreaterThan(0)
    for (const { issueNumber, change } of await changesSince(first)) {
      expect(members.get(issueNumber)).toEqual({ issue_number: issueNumber, ...change })
    }
    const report = await world.call(corrected.workspace, 'GET', '/api/insights/report?from=2025-12-01&to=2026-12-31')
    const total = [...now.values()].reduce((sum, count) => sum + count, 0)
    expect(report.body).toMatchObject({ all: { total } })
    const endOfDay = new Map(seen.map((one) => [dayAt(one.at), one.counts]))
    for (const number of now.keys()) {
      const days = await dailyChanges(number)
      const panel = await world.call(corrected.workspace, 'GET', `/api/insights/${number}/detail`)
      const told = (panel.body as InsightDetail).history.flatMap(({ change }) => change?.count ?? [])
      expect(told.reduce((sum, count) => sum + count, 0)).toBe(now.get(number))
      for (const [day, atEnd] of endOfDay) {
        const upTo = days.filter(({ at }) => dayAt(at) <= day).reduce((sum, { change }) => sum + change.count, 0)
        expect({ did, number, day, count: upTo }).toEqual({ did, number, day, count: atEnd.get(number) ?? 0 })
      }
    }
    const kinds = await rowsOf(sql<{ cause: string }>`select distinct cause from mention_move`)
    expect(kinds.map(({ cause }) => cause)).toEqual(expect.arrayContaining(['person', 'deleted']))
  },
  240_000,
)

test('the history says what left, why, and where it is now', async () => {
  await arriveNow()
  pass(24)
  const [first = '', second = ''] = await corrected.mentions(csv)
  const before = (await counts()).get(csv) ?? 0
  await world.store(corrected.workspace, messages(1, 80))
  await arriveNow()
  await corrected.group()
  await corrected.apply(csv, { kind: 'move', mentions: [first, second], to: mail })
  const { body } = await world.call(corrected.workspace, 'GET', `/api/insights/${csv}/detail`)
  const [last, earlier] = (body as InsightDetail).history.filter((one) => one.change)
  expect(last).toMatchObject({
    event: 'shrank',
    count: 1,
    change: { count: -1, new: 1, came: [], left: [{ cause: 'person', count: 2 }] },
  })
  expect(last?.change?.messages).toEqual([
    { text: expect.stringContaining('CSV export'), left: true, other: mail },
    { text: expect.stringContaining('CSV export'), left: true, other: mail },
  ])
  expect(earlier?.change).toEqual({ count: before, new: before, came: [], left: [], messages: [] })
})

test('a message that leaves and returns has not changed anything, and one that arrived since is new only where it is', async () => {
  await arriveNow()
  const since = world.now
  pass(1)
  const [first = ''] = await corrected.mentions(csv)
  const { body } = await corrected.request(csv, { kind: 'move', mentions: [first], to: mail })
  await corrected.group()
  expect(await changesSince(since)).toMatchObject([
    { issueNumber: csv, change: { count: -1, new: 0, came: 0, left: 1 } },
    { issueNumber: mail, change: { count: 1, new: 0, came: 1, left: 0 } },
  ])
  pass(1)
  await corrected.undo(body.correction_id)
  await corrected.group()
  expect(await changesSince(since)).toEqual([])
  await world.store(corrected.workspace, messages(1, 80))
  await arriveNow()
  await corrected.group()
  const mention = await corrected.mentionOf('m80')
  pass(1)
  await corrected.apply(csv, { kind: 'move', mentions: [mention], to: mail })
  expect(await changesSince(since)).toMatchObject([
    { issueNumber: mail, change: { count: 1, new: 1, came: 0, left: 0 } },
  ])
})

test('a message whose text is edited moves, and one that is deleted leaves', async () => {
  await arriveNow()
  const since = world.now
  pass(1)
  const [asMail] = messages(1, 81)
  await world.store(corrected.workspace, [{ ...asMail, id: 'm0', text: String(asMail?.text) }])
  await corrected.group()
  const changed = await changesSince(since)
  expect(changed).toMatchObject([
    { issueNumber: csv, change: { count: -1, left: 1 } },
    { issueNumber: mail, change: { count: 1, came: 1 } },
  ])
  await rowsOf(sql`delete from feedback_item where external_id in ('m0', 'm4')`)
  await corrected.group()
  expect(await changesSince(since)).toMatchObject([
    { issueNumber: csv, change: { count: -2, new: 0, came: 0, left: 2 } },
  ])
  const causes = await rowsOf(
    sql`select cause, count(*)::int as rows from mention_move where at > ${since} group by 1 order by 1`,
  )
  expect(causes).toEqual(expect.arrayContaining([{ cause: 'deleted', rows: 2 }]))
})

import { listChanges } from '@groundswell/contract/insights/visits.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { markPushed, markRegressed, markResolved } from '../status-store.ts'
import { withWorld, world } from '../testing.ts'

let workspace: string

/** A visit a day later than the one before. */
const SINCE = '2026-03-03T10:00:00Z'
const URL = `/api/insights/changes?since=${SINCE}`

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T09:30:00Z')
  workspace = await world.workspace()
})

/** An insight that was made long ago, with mentions made, and arrived, at these times. */
async function insight(number: number, ...times: (string | { made: string; arrived: string })[]): Promise<void> {
  const mentions = times.map((time, place) => ({
    made: new Date(typeof time === 'string' ? time : time.made),
    arrived: new Date(typeof time === 'string' ? time : time.arrived),
    text: `It fails ${number} ${place}`,
  }))
  await world.insight(
    workspace,
    number,
    mentions.map(({ text, made }) => ({ message: text, text, at: made })),
  )
  await world.inside(workspace, async (tx) => {
    for (const { text, arrived } of mentions) {
      await sql`update feedback_item set stored_at = ${arrived} where text = ${text}`.execute(tx)
    }
    await sql`update insight set created_at = '2026-01-01', last_seen = (select max(said_at) from statement s
      where s.issue_number = insight.issue_number) where issue_number = ${number}`.execute(tx)
  })
}

const day = (text: string) => `2026-${text}T12:00:00Z`
const hours = (hour: number, count: number) =>
  Array.from({ length: count }, (_, place) => `2026-03-03T${hour}:0${place}:00Z`)

const changes = async (url = URL) => {
  const { status, body } = await world.call(workspace, 'GET', url)
  expect(status).toBe(200)
  return listChanges.reply.parse(body)
}

test('a workspace without changes has empty groups, and since is repeated', async () => {
  await insight(1, day('02-20'), day('02-21'))
  expect(await changes()).toEqual({
    since: '2026-03-03T10:00:00.000Z',
    added: [],
    changed: [],
    new: [],
    growing: [],
    quiet: [],
    regressed: [],
    resolved: [],
  })
})

test('mentions count by their arrival here, whatever their own date', async () => {
  await insight(
    1,
    day('02-01'),
    { made: day('01-05'), arrived: day('03-03') },
    { made: day('01-06'), arrived: day('03-03') },
  )
  await insight(2, day('02-01'), { made: day('03-03'), arrived: '2026-03-03T09:59:59Z' })
  expect((await changes()).added).toEqual([{ issue_number: 1, count: 2 }])
})

test('an insight that was made since is new, and only new', async () => {
  await insight(1, ...hours(12, 4))
  await insight(2, ...hours(12, 4))
  await world.inside(workspace, (tx) =>
    sql`update insight set created_at = ${day('03-03')} where issue_number = 2`.execute(tx),
  )
  expect(await changes()).toMatchObject({ new: [2], growing: [1], added: [{ count: 4 }, { count: 4 }] })
})

test('growing: at least 3 arrived, and a third more than were made in as long a time before', async () => {
  await insight(1, day('01-01'), ...hours(12, 2))
  await insight(2, ...['03:00', '04:00', '05:00'].map((time) => `2026-03-03T${time}:00Z`), ...hours(12, 4))
  await insight(3, ...['02:00', '03:00', '04:00', '05:00'].map((time) => `2026-03-03T${time}:00Z`), ...hours(12, 5))
  await insight(4, day('01-01'), ...hours(12, 3))
  // An import yesterday of messages from several months does not hide what grows today.
  await insight(
    5,
    ...['01-03', '01-09', '02-01', '02-03'].map((made) => ({ made: day(made), arrived: day('03-02') })),
    ...hours(12, 3),
  )
  expect(new Set((await changes()).growing)).toEqual(new Set([2, 4, 5]))
})

test('quiet: the newest mention became two weeks old, and the four weeks before had one each', async () => {
  const weekly = ['01-26', '02-02', '02-09'].map(day)
  await insight(1, ...weekly, day('02-17'))
  await insight(2, ...weekly.slice(1), day('02-17'))
  await insight(3, ...weekly, day('02-16'))
  await insight(4, ...weekly, day('02-18'))
  await insight(5, ...weekly, day('02-17'))
  await world.inside(workspace, (tx) => markResolved(tx, workspace, 5))
  expect((await changes()).quiet).toEqual([1])
  world.now = new Date('2026-03-05T00:00:00Z')
  expect((await changes()).quiet).toEqual([4, 1])
})

test('resolved and regressed: what has the status now and got it since', async () => {
  for (const number of [1, 2, 3, 4]) await insight(number, day('02-01'), day('02-02'))
  await world.inside(workspace, async (tx) => {
    for (const number of [1, 2, 3, 4]) await markPushed(tx, workspace, number)
    for (const number of [1, 2, 3]) await markResolved(tx, workspace, number)
    await sql`update insight set heard = heard + 1 where issue_number = 2`.execute(tx)
    await markRegressed(tx, workspace)
    await sql`update insight_event set at = ${day('03-03')}`.execute(tx)
    await sql`update insight_event set at = ${day('03-02')} where issue_number = 3`.execute(tx)
  })
  expect(await changes()).toMatchObject({ resolved: [1], regressed: [2] })
})

test('deleted, ended and hidden insights are in no group', async () => {
  for (const number of [1, 2, 3]) await insight(number, ...hours(12, 4))
  await world.inside(workspace, (tx) =>
    sql`update insight set created_at = ${day('03-03')}, hidden = issue_number = 1,
      ended_at = case when issue_number = 2 then now() end, deleted_at = case when issue_number = 3 then now() end`.execute(
      tx,
    ),
  )
  expect(await changes()).toMatchObject({ new: [], growing: [], added: [] })
})

test('a time of more than 31 days ago counts as 31 days ago, and one that is none is refused', async () => {
  expect((await changes('/api/insights/changes?since=2020-01-01T00:00:00Z')).since).toBe('2026-02-01T09:00:00.000Z')
  for (const since of ['', 'yesterday', '2026-03-03']) {
    expect(await world.call(workspace, 'GET', `/api/insights/changes?since=${since}`)).toMatchObject({ status: 400 })
  }
})

test('a poll that finds nothing new returns 304 and makes no query; a change, another time and the next hour are seen', async () => {
  await insight(1, day('02-01'), ...hours(12, 1))
  const { etag } = await world.call(workspace, 'GET', URL)
  const connect = vi.spyOn(world.services.db.pool, 'connect')
  for (let poll = 0; poll < 20; poll += 1) {
    expect(await world.call(workspace, 'GET', URL, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  }
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
  const other = await world.call(workspace, 'GET', '/api/insights/changes?since=2026-03-04T00:00:00Z', {
    'if-none-match': etag,
  })
  expect(other).toMatchObject({ status: 200, body: { added: [] } })
  world.now = new Date('2026-03-04T10:00:00Z')
  expect((await world.call(workspace, 'GET', URL, { 'if-none-match': etag })).status).toBe(200)
  world.now = new Date('2026-03-04T09:30:00Z')
  await insight(2, day('02-01'), ...hours(13, 2))
  await expect.poll(async () => (await changes()).added).toHaveLength(2)
})

test('a workspace never sees the changes of another', async () => {
  await insight(1, ...hours(12, 4))
  const other = await world.workspace()
  expect((await world.call(other, 'GET', URL)).body).toMatchObject({ added: [], growing: [] })
  expect(await changes()).toMatchObject({ growing: [1] })
})

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { recountRelabelled } from './grouping/relabelled.ts'
import { groupNow } from './grouping/run.ts'
import { withWorld, world } from './testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const MIDNIGHT = '2026-02-01T00:00:00.000Z'
const text = 'The export of the report fails with an error'

/** A day, then a moment at its midnight, then a day. */
async function storeAndGroup() {
  await world.store(workspace, [
    { id: 'day', text, author: 'Ann', at: new Date(MIDNIGHT), dateOnly: true },
    { id: 'moment', text: `${text} again`, author: 'Bo', at: new Date('2026-02-02T00:00:00Z') },
    { id: 'later day', text: `${text} today`, author: 'Cy', at: new Date('2026-02-03T00:00:00Z'), dateOnly: true },
  ])
  expect(await groupNow(world.services, workspace)).toBe(3)
}

const get = async (url: string) => (await world.call(workspace, 'GET', url)).body as never
const listed = async () => (await get('/api/insights/get-all')) as { issue_number: number }[]
const file = async (url: string, format: string) =>
  (
    await world.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${workspace}` },
      payload: { format },
    })
  ).body

test('a date without a time is marked as a day wherever it is shown; its midnight stays the date', async () => {
  await storeAndGroup()
  const [insight] = await listed()
  const number = insight?.issue_number
  expect(insight).toMatchObject({ first_seen: MIDNIGHT, first_seen_date_only: true, last_seen_date_only: true })
  const { mentions } = (await get(`/api/insights/${number}/evidence`)) as { mentions: object[] }
  expect(mentions).toMatchObject([
    { author: 'Cy', date_only: true },
    { author: 'Bo', date: '2026-02-02T00:00:00.000Z' },
    { author: 'Ann', date: MIDNIGHT, date_only: true },
  ])
  expect(mentions[1]).not.toHaveProperty('date_only')
  const { id } = mentions[2] as { id: string }
  expect(await get(`/api/insights/${number}/evidence/${id}/thread`)).toMatchObject({
    messages: [{ date: MIDNIGHT, date_only: true }],
  })
  const { askers } = (await get(`/api/insights/${number}/askers`)) as { askers: object[] }
  expect(askers).toMatchObject([{ date_only: true }, { name: 'Bo' }, { name: 'Ann', date: MIDNIGHT, date_only: true }])
  expect(askers[1]).not.toHaveProperty('date_only')
  expect(await get('/api/feedback/search?words=report')).toMatchObject({
    mentions: [{ date_only: true }, { author: 'Bo' }, { date_only: true }],
  })
})

test('files have the day alone, so that it is a day when they are read again', async () => {
  await storeAndGroup()
  const [, ...lines] = (await file('/api/insights/export', 'csv')).trimEnd().split('\r\n')
  expect(lines).toEqual([
    expect.stringMatching(/"2026-02-01","2026-02-03",.*,"2026-02-03","Cy",/),
    expect.stringContaining(',"2026-02-02T00:00:00.000Z","Bo",'),
    expect.stringContaining(',"2026-02-01","Ann",'),
  ])
  expect(JSON.parse(await file('/api/insights/export', 'jsonl'))).toMatchObject({
    first_seen: '2026-02-01',
    evidence: [{ date: '2026-02-03' }, { date: '2026-02-02T00:00:00.000Z' }, { date: '2026-02-01' }],
  })
  const [insight] = await listed()
  const askers = await file(`/api/insights/${insight?.issue_number}/askers/export`, 'csv')
  expect(askers).toContain('"Ann","1","2026-02-01",')
  expect(askers).toContain('"Bo","1","2026-02-02T00:00:00.000Z",')
})

test('a mention follows its message when the same midnight becomes a day', async () => {
  await storeAndGroup()
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update feedback_item set date_only = not date_only where external_id = 'later day' returning id`.execute(tx)
    await recountRelabelled(
      tx,
      workspace,
      rows.map(({ id }) => id),
    )
  })
  const [insight] = await listed()
  expect(insight).toMatchObject({ first_seen_date_only: true })
  expect(insight).not.toHaveProperty('last_seen_date_only')
})

import { listAskers } from '@groundswell/contract/insights/askers.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  world.now = new Date('2026-03-04T09:30:00Z')
  workspace = await world.workspace()
  await world.insight(workspace, 1, [
    said('Export fails', 'Ann', 1),
    said('Export fails again', 'Ann', 3),
    said('The export broke', '=HYPERLINK("x")', 2),
    said('Export?', undefined, 1),
    said('Export!', undefined, 1),
  ])
})

const said = (text: string, author: string | undefined, day: number) => ({
  message: `Hi. ${text}`,
  text,
  at: new Date(`2026-03-0${day}T10:00:00Z`),
  link: `https://chat.example/${day}`,
  ...(author === undefined ? {} : { author }),
})
const list = async (number = 1, as = workspace) => {
  const { status, body } = await world.call(as, 'GET', `/api/insights/${number}/askers`)
  return status === 200 ? listAskers.reply.parse(body) : status
}
const set = (people: 'all' | string[], told = true, as = workspace) =>
  world.call(as, 'PUT', '/api/insights/1/told', {}, { people, told })
const askers = async () => {
  const found = await list()
  if (typeof found === 'number') throw new Error(String(found))
  return found
}

test('everyone is listed once, with their newest mention and its conversation; nobody is merged who has no name', async () => {
  expect(await list()).toMatchObject({
    total: 4,
    told: 0,
    askers: [
      {
        name: 'Ann',
        mentions: 2,
        text: 'Export fails again',
        date: '2026-03-03T10:00:00.000Z',
        link: 'https://chat.example/3',
      },
      { name: '=HYPERLINK("x")', mentions: 1, source: 'file', told: null },
      { name: null, mentions: 1 },
      { name: null, mentions: 1 },
    ],
  })
})

test('who was told is kept, with who and when, and undone', async () => {
  const ann = (await askers()).askers[0]?.person ?? ''
  expect(await set([ann])).toMatchObject({ status: 200, body: { changed: [ann] } })
  expect((await set([ann])).body).toEqual({ changed: [] })
  expect(await askers()).toMatchObject({ total: 4, told: 1 })
  expect((await askers()).askers[0]).toMatchObject({
    name: 'Ann',
    told: { by: 'A', at: '2026-03-04T09:30:00.000Z' },
  })
  const { changed } = (await set('all')).body as { changed: string[] }
  expect(changed).toHaveLength(3)
  expect(await askers()).toMatchObject({ told: 4 })
  await set(changed, false)
  expect(await askers()).toMatchObject({ told: 1 })
  await world.insight(workspace, 1, [said('Me too', 'Bo', 4)])
  expect(await askers()).toMatchObject({
    total: 5,
    told: 1,
    askers: [{ name: 'Bo', told: null }, { name: 'Ann' }, {}, {}, {}],
  })
})

test('who was told about an insight is shown in the one that it was merged into, until the merge is undone', async () => {
  await world.insight(workspace, 2, [said('Export hangs', 'Bo', 4), said('Export hangs', 'Cy', 4)])
  await world.insight(workspace, 3, [said('Export is slow', 'Di', 4)])
  await world.call(workspace, 'PUT', '/api/insights/2/told', {}, { people: 'all', told: true })
  await world.call(workspace, 'PUT', '/api/insights/3/told', {}, { people: 'all', told: true })
  const merge = (from: number, into: number) =>
    world.inside(workspace, async (tx) => {
      await sql`update insight set ended_at = now(), merged_into = ${into} where issue_number = ${from}`.execute(tx)
      await sql`update statement set issue_number = ${into} where issue_number = ${from}`.execute(tx)
    })
  await merge(3, 2)
  await merge(2, 1)
  const told = async () =>
    Object.fromEntries((await askers()).askers.map((one) => [one.name ?? '', one.told?.merged_from ?? null]))
  expect(await told()).toMatchObject({ Ann: null, Bo: 2, Cy: 2, Di: 3 })
  expect(await askers()).toMatchObject({ total: 7, told: 3 })
  expect(((await set('all')).body as { changed: string[] }).changed).toHaveLength(4)
  expect(await told()).toMatchObject({ Bo: 2, Di: 3 })
  const bo = (await askers()).askers.find(({ name }) => name === 'Bo')?.person ?? ''
  expect((await set([bo], false)).body).toEqual({ changed: [bo] })
  expect(await askers()).toMatchObject({ told: 6 })
  await world.inside(workspace, (tx) =>
    sql`update insight set ended_at = null, merged_into = null where issue_number = 2`.execute(tx),
  )
  expect(await told()).toMatchObject({ Cy: null, Di: null })
})

test('nobody is marked who did not ask, and nothing of another workspace is seen or changed', async () => {
  expect((await set(['0'.repeat(32)])).body).toEqual({ changed: [] })
  expect((await set(['Ann'])).status).toBe(400)
  const other = await world.workspace()
  expect(await list(1, other)).toBe(404)
  expect((await set('all', true, other)).status).toBe(404)
  expect(await list(7)).toBe(404)
  expect(await askers()).toMatchObject({ told: 0 })
})

test('the file has everyone, and no formula', async () => {
  await set([(await askers()).askers[0]?.person ?? ''])
  const answer = await world.app.inject({
    method: 'POST',
    url: '/api/insights/1/askers/export',
    headers: { authorization: `Bearer ${workspace}` },
  })
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="groundswell-who-asked-1.csv"',
  })
  const [head, ...lines] = answer.body.split('\r\n')
  expect(head).toBe('\uFEFFname,mentions,date,source,place,text,link,told_at,told_by')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toBe(
    `"'=HYPERLINK(""x"")","1","2026-03-02T10:00:00.000Z","file","","The export broke","https://chat.example/2","",""`,
  )
  expect(lines[0]).toMatch(/^"Ann","2",.*,"2026-03-04T09:30:00.000Z","A"$/)
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { withWorld, world } from '../testing.ts'
import { noteVisitOf, readSince } from './visit-store.ts'

let workspace: string
let ann: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
  ann = await account()
})

async function account(): Promise<string> {
  const id = randomUUID()
  await inWorkspace(world.services.db.accounts, workspace, (tx) =>
    sql`insert into account (id, email, name) values (${id}, ${`${id}@example.com`}, 'Ann')`.execute(tx),
  )
  return id
}

const at = (text: string) => new Date(`2026-03-04T${text}Z`)
const look = async (time: string, who = ann) =>
  (await world.inside(workspace, (tx) => noteVisitOf(tx, workspace, who, at(time))))?.toISOString().slice(11, 19) ??
  null
const since = async (time: string, who = ann) =>
  (await world.inside(workspace, (tx) => readSince(tx, workspace, who, at(time))))?.toISOString().slice(11, 19) ?? null

test('the first visit has nothing before it, however often the page is loaded', async () => {
  expect(await since('09:00:00')).toBe(null)
  expect(await look('09:00:00')).toBe(null)
  expect(await look('09:00:05')).toBe(null)
  expect(await look('09:29:00')).toBe(null)
  expect(await look('09:58:00')).toBe(null)
})

test('after 30 minutes without a sign the next visit begins, and reloading it changes nothing', async () => {
  await look('09:00:00')
  await look('09:10:00')
  expect(await look('09:40:00')).toBe(null)
  expect(await since('10:10:01')).toBe('09:39:00')
  expect(await look('10:10:01')).toBe('09:39:00')
  expect(await look('10:10:02')).toBe('09:39:00')
  expect(await look('10:40:00')).toBe('09:39:00')
  expect(await since('10:41:00')).toBe('09:39:00')
  expect(await look('15:00:00')).toBe('10:39:00')
})

test('each person has their own visits', async () => {
  const bo = await account()
  await look('09:00:00')
  await look('12:00:00', bo)
  expect(await look('14:00:00')).toBe('08:59:00')
  expect(await look('14:00:00', bo)).toBe('11:59:00')
})

test('a message that was not grouped when the visit ended counts as not seen', async () => {
  await world.store(workspace, [{ id: 'a', text: 'The export fails' }])
  await world.inside(workspace, (tx) => sql`update feedback_item set stored_at = ${at('08:00:00')}`.execute(tx))
  await look('09:00:00')
  expect(await look('10:00:00')).toBe('07:59:59')
  await world.inside(workspace, (tx) => sql`update feedback_item set grouped_seq = 1`.execute(tx))
  await look('10:20:00')
  expect(await look('12:00:00')).toBe('10:19:00')
})

test('what the person saw once stays seen, also while an edited message waits to be grouped again', async () => {
  await world.store(workspace, [{ id: 'a', text: 'The export fails' }])
  await world.inside(workspace, (tx) =>
    sql`update feedback_item set stored_at = ${at('08:00:00')}, grouped_seq = 1`.execute(tx),
  )
  await look('09:00:00')
  await world.inside(workspace, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
  await look('09:10:00')
  expect(await look('12:00:00')).toBe('08:59:00')
})

test('an absence of more than 30 days is caught up with from 30 days ago, the same all day', async () => {
  await look('09:00:00')
  const later = new Date('2026-06-01T09:00:00Z')
  const from = await world.inside(workspace, (tx) => noteVisitOf(tx, workspace, ann, later))
  expect(from?.toISOString()).toBe('2026-05-02T00:00:00.000Z')
  const later20 = new Date('2026-06-01T09:20:00Z')
  const again = await world.inside(workspace, (tx) => readSince(tx, workspace, ann, later20))
  expect(again).toEqual(from)
})

test('the call notes the visit of its caller', async () => {
  await inWorkspace(world.services.db.accounts, workspace, (tx) =>
    sql`insert into account (id, email, name) values (${workspace}, 'a@b.c', 'A')`.execute(tx),
  )
  world.now = at('09:00:00')
  expect(await world.call(workspace, 'POST', '/api/insights/visit')).toMatchObject({
    status: 200,
    body: { since: null },
  })
  world.now = at('11:00:00')
  const again = await world.call(workspace, 'POST', '/api/insights/visit')
  expect(again.body).toEqual({ since: '2026-03-04T08:59:00.000Z' })
})

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'
import { groupNow } from './run.ts'

let workspace: string

const EXPORTS = [
  'The CSV export stops after a thousand rows',
  'CSV export stops after the first thousand rows',
  'Bug: the CSV export stops after a thousand rows',
  'The CSV export stops after one thousand rows again',
]
const OTHERS = [
  'Please add a dark mode for the calendar view',
  'The invoice shows the tax number of our former company',
  'Nobody can log in with single sign-on since this morning',
  'How do I invite a colleague to a second team?',
]

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
  await store(EXPORTS)
})

async function store(texts: readonly string[]) {
  await world.store(
    workspace,
    texts.map((text, at) => ({ id: `m${at}`, text, author: `Person ${at}` })),
  )
  await groupNow(world.services, workspace)
}

/** The insight of each message, and the insights that there have been. */
async function groups() {
  const placed = await world.inside(workspace, (tx) =>
    sql<{ issue: number | null }>`
      select issue_number as issue from statement s join feedback_item item on item.id = s.item_id order by external_id`.execute(
      tx,
    ),
  )
  const insights = await world.inside(workspace, (tx) =>
    sql<{ number: number; ended: boolean }>`
      select issue_number as number, ended_at is not null as ended from insight order by issue_number`.execute(tx),
  )
  return { issues: placed.rows.map(({ issue }) => issue), insights: insights.rows }
}

const SAME = { issues: [1, 1, 1, 1], insights: [{ number: 1, ended: false }] }

test('an insight stays itself when all its messages are grouped again by their words in one step', async () => {
  expect(await groups()).toEqual(SAME)
  await world.inside(workspace, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
  await groupNow(world.services, workspace)
  expect(await groups()).toEqual(SAME)
})

test('an insight stays itself when all its messages are edited, and still say the same', async () => {
  await store(EXPORTS.map((text) => `${text}, and we tried it in two browsers`))
  expect(await groups()).toEqual(SAME)
  await world.inside(workspace, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
  await groupNow(world.otherProcess(), workspace)
  expect(await groups()).toEqual(SAME)
})

test('an insight ends when its messages are edited, and say nothing that they have in common', async () => {
  await store(OTHERS)
  const { issues } = await groups()
  expect(issues.filter((issue) => issue !== null).length).toBeLessThan(2)
})

test('an insight stays with the messages that have most in common when one of them is edited to something else', async () => {
  await store([OTHERS[0] as string, ...EXPORTS.slice(1).map((text) => `${text}!`)])
  expect(await groups()).toEqual({ ...SAME, issues: [null, 1, 1, 1] })
})

test('an edited message leaves an insight that others are still in', async () => {
  await store([...EXPORTS.slice(0, 3), OTHERS[0] as string])
  expect(await groups()).toEqual({ ...SAME, issues: [1, 1, 1, null] })
})

import { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readSettled } from '../settled-store.ts'
import { markPushed } from '../status-store.ts'
import { withWorld, world } from '../testing.ts'
import { groupNow } from './run.ts'

let workspace: string

const EXPORTS = [
  'The CSV export stops after a thousand rows',
  'CSV export stops after the first thousand rows',
  'Bug: the CSV export stops after a thousand rows',
  'The CSV export stops after one thousand rows again',
]
const LOGINS = [
  'Nobody can log in with single sign-on since this morning',
  'Single sign-on: nobody can log in since the morning',
  'We can no longer log in with single sign-on, nobody can',
  'Log in with single sign-on fails for all since this morning',
]

withWorld()
beforeEach(async () => {
  world.now = new Date(Date.now() + 2 * 86_400_000)
  workspace = await world.workspace()
  await world.store(
    workspace,
    [...EXPORTS, ...LOGINS].map((text, at) => ({ id: `m${at}`, text, author: `Person ${at}` })),
  )
  await groupNow(world.services, workspace)
})

const inside = <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  world.inside(workspace, async (tx) => (await query.execute(tx)).rows)

const issueOf = async (id: string) =>
  (
    await inside(sql<{ issue: number }>`
      select issue_number as issue from statement s join feedback_item item on item.id = s.item_id where external_id = ${id}`)
  )[0]?.issue as number

const settled = () => world.inside(workspace, (tx) => readSettled(tx, workspace))
const open = async (issue: number) =>
  InsightDetail.parse((await world.call(workspace, 'GET', `/api/insights/${issue}/detail`)).body)

/** Puts a message about exports among those about single sign-on, as if an earlier version had grouped it so, and groups everything again. */
async function misplaceAndRegroup(logins: number): Promise<void> {
  await inside(sql`
    update statement s set issue_number = ${logins} from feedback_item item where item.id = s.item_id and external_id = 'm2'`)
  await inside(sql`update engine_state set state = null, grouped_seq = 0`)
  // Something new to group, so that everything is revised.
  const texts = ['Please add a dark mode for the calendar', 'A dark mode for the calendar, please']
  await world.store(
    workspace,
    texts.map((text, at) => ({ id: `n${at}`, text, author: `Person ${at}` })),
  )
  await groupNow(world.otherProcess(), workspace)
}

test('an insight is settled once somebody opened, pushed or changed it, and not before', async () => {
  const [exports, logins] = [await issueOf('m0'), await issueOf('m4')]
  expect(await settled()).toEqual([])
  await open(exports)
  expect(await settled()).toEqual([exports])
  await world.inside(workspace, (tx) => markPushed(tx, workspace, logins))
  expect(await settled()).toEqual([exports, logins].sort((a, b) => a - b))
})

test.each([
  ['that nobody looked at', false, 'regrouped'],
  ['that a person opened', true, 'clearer'],
])('what leaves an insight %s is told in its history', async (_, isOpened, cause) => {
  const [exports, logins] = [await issueOf('m0'), await issueOf('m4')]
  expect(exports).not.toBe(logins)
  if (isOpened) await open(logins)
  await misplaceAndRegroup(logins)
  expect(await issueOf('m2')).toBe(exports)
  const { history } = await open(logins)
  const left = history.flatMap(({ change }) => change?.left ?? [])
  expect(left).toEqual([{ cause, count: 1 }])
  const messages = history.flatMap(({ change }) => change?.messages ?? [])
  expect(messages).toEqual([{ text: EXPORTS[2], left: true, other: exports }])
})

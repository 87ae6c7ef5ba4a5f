import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

async function insight(number: number, name: string, texts: readonly string[]): Promise<void> {
  await world.insight(
    workspace,
    number,
    texts.map((text) => ({ message: text, text })),
  )
  await world.inside(workspace, (tx) =>
    sql`update insight set name = ${name}, summary = ${name} where issue_number = ${number}`.execute(tx),
  )
}
const alike = async (query: string) => {
  const { status, body } = await world.call(workspace, 'GET', `/api/insights/alike?${query}`)
  return { status, ...(body as { issue_numbers?: number[]; code?: string }) }
}

const others = [
  ['Dark mode text is unreadable', 'dark theme hurts my eyes', 'grey text on black'],
  ['CSV export stops early', 'export cut off after 1000 rows', 'my report export is incomplete'],
  ['Invoices show the wrong address', 'invoice has our old address', 'billing address wrong'],
  ['Map does not zoom', 'zooming the map is jerky', 'cannot zoom in on the map'],
  ['Calendar events are duplicated', 'each event appears twice', 'duplicate meetings in the calendar'],
  ['Videos freeze while playing', 'video stops in the middle', 'playback hangs'],
]

test.each([
  [
    ['Refund takes too long', 'still waiting for my refund', 'refund not received'],
    ['Money back never came', 'I want my money back', 'reimbursement not paid'],
    ['Upload takes too long', 'still uploading my file', 'upload never ends'],
  ],
  [
    ['Notifications arrive late', 'alerts come hours later', 'push messages delayed'],
    ['Reminders are not on time', 'the reminder came too late', 'delayed alarm'],
    ['Packages arrive damaged', 'my package was broken', 'parcel arrived open'],
  ],
  [
    ['Delivery is late', 'my parcel came a week late', 'late shipment'],
    ['Packages arrive after the promised day', 'package not here yet', 'shipping takes weeks'],
    ['Delivery notes cannot be edited', 'I want to edit a delivery note', 'delivery note field is locked'],
  ],
])(
  'for %j an insight with the same meaning comes before one that only shares words in its name',
  async (about, meaning, words) => {
    for (const [at, [name = '', ...texts]] of [about, words, meaning, ...others].entries()) {
      await insight(at + 1, name, texts)
    }
    const answer = await alike('issue=1')
    expect(answer.status).toBe(200)
    expect(answer.issue_numbers?.[0]).toBe(3)
    expect(answer.issue_numbers).toHaveLength(8)
  },
)

test('mentions are compared by their ids', async () => {
  await insight(1, 'Export of large reports fails', ['exporting a large report fails', 'csv export stops'])
  await insight(2, 'Dark mode is unreadable', ['dark mode text is unreadable', 'dark theme hurts my eyes'])
  const { body } = await world.call(workspace, 'GET', '/api/insights/2/evidence')
  const [mention] = (body as { mentions: { id: string }[] }).mentions
  expect((await alike(`like=${mention?.id}`)).issue_numbers).toEqual([2, 1])
})

test('deleted and hidden insights and those of other workspaces are left out', async () => {
  for (const number of [1, 2, 3, 4]) await insight(number, 'The export fails', ['the export fails', 'export fails'])
  await world.inside(workspace, (tx) =>
    sql`update insight set hidden = issue_number = 2, deleted_at = case when issue_number = 3 then now() end`.execute(
      tx,
    ),
  )
  expect((await alike('issue=1')).issue_numbers).toEqual([4])
  workspace = await world.workspace()
  expect(await alike('issue=1')).toMatchObject({ status: 404, code: 'not_found' })
})

test.each(['', 'issue=1&like=1:0', 'issue=x', 'like=x'])('"%s" is refused', async (query) => {
  expect(await alike(query)).toMatchObject({ status: 400, code: 'invalid_input' })
})

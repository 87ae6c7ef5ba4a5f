import type { Insight } from '@groundswell/contract/insights.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { groupNow } from '../insights/index.ts'
import { ReceiverWorld, verified } from './testing.ts'

let receivers: ReceiverWorld
let workspace: string

const SUBJECTS = [
  ['CSV export', 'stops after the first thousand rows'],
  ['Password reset mail', 'never arrives in the inbox'],
] as const

beforeAll(async () => {
  receivers = await ReceiverWorld.start()
  workspace = await receivers.workspace(0)
  await receivers.inside(workspace, async (tx) => {
    const { id } = await fileConnection(tx, workspace)
    const items = Array.from({ length: 24 }, (_, n) => ({
      externalId: `m${n}`,
      text: `${SUBJECTS[n % 2]?.join(' ')}${['', '!', ' ...'][n % 3]} (${n})`,
      author: `person ${n % 5}`,
      at: new Date(),
      link: null,
      thread: null,
      place: null,
    }))
    await storeItems(tx, workspace, id, items)
  })
})
afterAll(() => receivers.stop())

test('grouping, and the calls by which people change insights, are events', async () => {
  const { server, secret } = await receivers.add(workspace)
  const group = () => groupNow(receivers.services, workspace)
  const events = async () => {
    await receivers.deliver(workspace)
    const got = verified(server, secret).map(({ type, data }) => ({ type, number: data.insight?.number, data }))
    server.seen.length = 0
    return got
  }
  await group()
  const insights = await receivers.call<Insight[]>(workspace, 'GET', '/api/insights/get-all')
  const [one = 0, two = 0] = insights.map(({ issue_number }) => issue_number)
  const created = (await events()).map(({ type, number }) => `${type} ${number}`)
  expect(created.toSorted()).toEqual([`insight.created ${one}`, `insight.created ${two}`].toSorted())

  await receivers.call(workspace, 'POST', `/api/insights/${one}/corrections`, { kind: 'rename', name: 'By hand' })
  await receivers.call(workspace, 'DELETE', `/api/insights/${two}`)
  await receivers.call(workspace, 'POST', `/api/insights/${two}/restore`)
  expect(await events()).toMatchObject([
    { type: 'insight.updated', number: one, data: { insight: { name: 'By hand' }, changed: ['name'] } },
    { type: 'insight.deleted', number: two },
    { type: 'insight.restored', number: two },
  ])

  const merge = { kind: 'merge', into: two }
  const made = await receivers.call<{ correction_id: string }>(
    workspace,
    'POST',
    `/api/insights/${one}/corrections`,
    merge,
  )
  await group()
  const merged = (await events()).find(({ type }) => type === 'insight.merged')
  expect(merged).toMatchObject({ number: one, data: { merged_into: { number: two } } })
  await receivers.call(workspace, 'POST', `/api/corrections/${made.correction_id}/undo`, {})
  await group()
  expect((await events()).map(({ type, number }) => `${type} ${number}`)).toContain(`insight.restored ${one}`)
})

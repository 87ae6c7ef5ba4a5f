import { PREVIEW_ID, type PushPreview } from '@groundswell/contract/deliveries.ts'
import { expect, test, vi } from 'vitest'
import { eachWithReceiver, receiver, workspace, world } from '../testing.ts'
import { connectTracker, type StandIn } from '../trackers/testing.ts'

vi.mock('@groundswell/connectors/index.ts', async (load) => {
  const { withTestTrackers } = await import('../trackers/testing.ts')
  return withTestTrackers(await load())
})

eachWithReceiver()

const ask = (tile: string, issue?: number) =>
  world.call(workspace, 'GET', `/api/${tile}/preview${issue === undefined ? '' : `?issue_number=${issue}`}`)

async function previewed(tile: string, issue?: number): Promise<PushPreview> {
  const { status, body } = await ask(tile, issue)
  expect(status).toBe(200)
  return body as PushPreview
}

const pushNow = async (issue: number) => {
  await world.call(workspace, 'POST', `/api/insights/${issue}/push`, {})
  await world.work(workspace)
}

async function withTracker(work: (standIn: StandIn) => Promise<void>): Promise<void> {
  await using standIn = await connectTracker(world, workspace)
  await work(standIn)
}

test('a webhook’s preview has the bytes of the push, without the secret address, and sends nothing', async () => {
  await world.connect(workspace, `${receiver.url}/path-secret-77f1`)
  await world.say(workspace, 1, 2)
  const preview = await previewed('webhook', 1)
  expect(receiver.received).toEqual([])
  expect(await world.deliveries(workspace)).toEqual([])
  expect(preview).toMatchObject({
    destination: 'Webhook',
    insight: { issue_number: 1, issue_name: 'issue 1' },
    event: 'insight.created',
    item: null,
    more: false,
    placeholder: PREVIEW_ID,
  })
  expect(preview.requests).toMatchObject([{ method: 'POST', address: `${new URL(receiver.url).origin}/•••` }])
  expect(JSON.stringify(preview)).not.toContain('path-secret')
  await pushNow(1)
  const [sent] = receiver.received
  expect(preview.requests[0]?.body.replaceAll(PREVIEW_ID, String(sent?.id))).toBe(sent?.body)
})

test('a delivery that waits is previewed with its own id, and a frozen one with its own bytes', async () => {
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 3)
  const waiting = await previewed('webhook', 1)
  receiver.answer = (response) => response.writeHead(500).end()
  await world.work(workspace)
  await world.say(workspace, 1, 2)
  const frozen = await previewed('webhook', 1)
  expect(waiting.placeholder).toBeNull()
  expect([waiting, frozen].map(({ requests }) => requests[0]?.body)).toEqual([
    receiver.received[0]?.body,
    receiver.received[0]?.body,
  ])
})

test('a tracker’s preview creates nothing, and an update’s shows the change of the item that is there', () =>
  withTracker(async (standIn) => {
    await world.say(workspace, 1, 2)
    const before = standIn.requests().length
    const preview = await previewed('tracker', 1)
    expect(standIn.requests()).toHaveLength(before)
    expect(standIn.items()).toEqual([])
    expect(preview).toMatchObject({ event: 'insight.created', requests: [{ method: 'POST' }] })
    await pushNow(1)
    const [item] = standIn.items()
    expect(JSON.parse(preview.requests[0]?.body ?? '')).toMatchObject({ title: 'issue 1' })
    const update = await previewed('tracker', 1)
    expect(update).toMatchObject({ event: 'insight.updated', more: true, placeholder: null })
    expect(update.requests).toMatchObject([{ method: 'PATCH', address: expect.stringContaining(`/items/${item?.id}`) }])
    expect(standIn.items()).toEqual([item])
  }))

test('without an insight it is example data, and without an issue number the insight with the most mentions', async () => {
  await world.connect(workspace, receiver.url)
  expect(await previewed('webhook')).toMatchObject({ insight: null, requests: [{ method: 'POST' }] })
  await world.say(workspace, 1, 1)
  await world.say(workspace, 2, 2)
  expect(await previewed('webhook')).toMatchObject({ insight: { issue_number: 2 } })
})

test('what cannot be pushed cannot be previewed', async () => {
  expect(await ask('webhook', 1)).toMatchObject({ status: 422, body: { code: 'not_configured' } })
  await world.connect(workspace, receiver.url)
  expect(await ask('webhook', 9)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await ask('slack', 1)).toMatchObject({ status: 422, body: { code: 'not_configured' } })
})

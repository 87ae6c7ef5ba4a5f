import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type Pinboard,
  pinboardConnector,
  replaceConnector,
  startPinboard,
} from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepDeliveries } from './jobs.ts'
import { Receiver, World } from './testing.ts'

const ID = 'linear'
let world: World
let board: Pinboard
let restoreConnector: () => void

beforeAll(async () => {
  const connector = connectorById(ID)
  if (!connector) throw new Error('the connector is missing')
  restoreConnector = replaceConnector(connector, pinboardConnector(ID, 'destination'))
  board = await startPinboard()
  world = await World.start()
  Object.assign(world.services.config, { baseUrls: { [ID]: board.url } })
})
afterAll(async () => {
  restoreConnector()
  await board.stop()
  await world.stop()
})

test('a destination without its required choices gets no pushes; once they are made, what qualifies is held and offered', async () => {
  const workspace = await world.workspace()
  await world.say(workspace, 1, 5)
  await world.call(workspace, 'POST', `/api/${ID}/add`, { token: board.token })
  await world.say(workspace, 2, 5)
  await world.call(workspace, 'PATCH', `/api/${ID}/connection`, { push_automatically: false })
  await world.call(workspace, 'PATCH', `/api/${ID}/connection`, { push_automatically: true })
  await world.call(workspace, 'POST', `/api/${ID}/add`, { token: board.token })
  await sweepDeliveries(world.services)
  await world.work(workspace)
  expect(await world.deliveries(workspace)).toEqual([])
  const offers = async () => (await world.call(workspace, 'GET', '/api/deliveries/held')).body.held
  expect(await offers()).toEqual([])

  const asked = await world.call(workspace, 'POST', '/api/insights/1/push', {})
  expect(asked).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(asked.body.message).toContain('where insights go')

  await world.choose(workspace, ID, { project: ['P1'], kind: ['K1'], prefix: ['Feedback:'] })
  expect(await offers()).toEqual([{ destination: ID, count: 2 }])
  await world.say(workspace, 3, 5)
  await sweepDeliveries(world.services)
  await world.work(workspace)
  expect(board.cards).toEqual([{ key: 'PIN-1', project: 'P1', kind: 'K1', title: 'Feedback: issue 3' }])

  await world.call(workspace, 'POST', '/api/deliveries/held', {})
  await world.choose(workspace, ID, { project: ['P2'], kind: ['K9'] })
  expect(await offers()).toEqual([])
})

test('a push to all destinations goes to those that are ready', async () => {
  const workspace = await world.workspace()
  const receiver = await Receiver.start()
  await world.call(workspace, 'POST', `/api/${ID}/add`, { token: board.token })
  await world.connect(workspace, receiver.url)
  await world.say(workspace, 1, 1)
  expect(await world.call(workspace, 'POST', '/api/insights/1/push', {})).toMatchObject({ status: 200 })
  expect(await world.deliveries(workspace)).toMatchObject([{ destination: 'webhook', issue_number: 1 }])
  await receiver.stop()
})

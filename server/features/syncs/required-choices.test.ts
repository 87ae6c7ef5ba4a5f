import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type Pinboard,
  pinboardConnector,
  replaceConnector,
  startPinboard,
} from '@groundswell/connectors/sandbox/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate } from '../../auth/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { silentLog } from '../../platform/log/log.ts'
import { accountRoutes } from '../accounts/index.ts'
import { connectionRoutes, liveConnections } from '../connections/index.ts'
import { sweepSyncs } from './jobs.ts'
import { requestSync } from './request-sync.ts'
import { syncRoutes } from './routes.ts'
import { syncConnection } from './sync-connection.ts'
import { readSync } from './sync-state-store.ts'
import { syncsView } from './views-store.ts'

const ID = 'zendesk'
let test: TestApp
let board: Pinboard
let restoreConnector: () => void
let ann: TestPerson

beforeAll(async () => {
  const connector = connectorById(ID)
  if (!connector) throw new Error('the connector is missing')
  restoreConnector = replaceConnector(connector, pinboardConnector(ID, 'source'))
  board = await startPinboard()
  board.notes.push(
    { id: 'n1', project: 'P1', text: 'The app logs me out' },
    { id: 'n2', project: 'P2', text: 'The invoice is wrong' },
  )
  test = await testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...connectionRoutes(services, {
          syncs: syncsView,
          sourceReady: async (tx, { workspaceId, connectionId }) => {
            await requestSync(services)(tx, workspaceId, connectionId)
          },
        }),
        ...syncRoutes(services),
      ],
      authenticate: authenticate(services),
    }),
    { allowPrivateAddresses: ['127.0.0.1'], baseUrls: { [ID]: board.url } },
  )
  ann = await test.person('ann')
})
afterAll(async () => {
  restoreConnector()
  await board.stop()
  await test.cleanup()
})

const tile = async () => {
  const { connectors } = (await test.call('GET', '/api/connectors', { as: ann })).json()
  return connectors.find(({ manifest }: { manifest: { id: string } }) => manifest.id === ID).connection
}

it('a source is not read before its required choices are made, and is read after that', async () => {
  const { workspaceId } = ann
  await test.call('POST', `/api/${ID}/add`, { as: ann, payload: { token: board.token } })
  const [connection] = await inWorkspace(test.services.db, workspaceId, (tx) => liveConnections(tx, workspaceId))
  const id = connection?.id ?? ''
  const sync = () => inWorkspace(test.services.db, workspaceId, (tx) => readSync(tx, workspaceId, id))
  expect(await tile()).toMatchObject({ status: 'connected', ready: false })
  const refused = await test.call('POST', `/api/${ID}/sync`, { as: ann })
  expect(refused.json()).toMatchObject({ code: 'not_configured', message: expect.stringContaining('what to read') })
  expect(
    await inWorkspace(test.services.db, workspaceId, (tx) => requestSync(test.services)(tx, workspaceId, id)),
  ).toBe(false)
  test.time.passMs += 3_600_000
  await sweepSyncs(test.services)
  test.time.passMs = 0
  expect(await sync()).toBeNull()

  const payload = { project: ['P1'], kind: ['K1'] }
  const saved = await test.call('PUT', `/api/${ID}/choices`, { as: ann, payload })
  expect(saved.json()).toEqual({ message: 'Saved. Sync started.' })
  expect(await tile()).toMatchObject({ status: 'syncing', ready: true })
  const run = { lastAttempt: false, signal: new AbortController().signal, log: silentLog() }
  const stored: string[] = []
  const hooks = { stored: async (_tx: unknown, workspace: string) => void stored.push(workspace) }
  expect(await syncConnection(test.services, workspaceId, id, hooks, run)).toBe(false)
  expect(stored).toEqual([workspaceId])
  expect(await tile()).toMatchObject({ status: 'connected', progress: { read: 1 } })
})

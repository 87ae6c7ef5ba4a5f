import type { Connector } from '@groundswell/connectors/connector.ts'
import type { RemoteStatus } from '@groundswell/connectors/tracker.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { type TestServer, testServer } from '../../platform/http/testing.ts'
import { handleEvents } from './handle-events.ts'

/** A destination whose events report states, added to the list of connectors. */
vi.mock('@groundswell/connectors/index.ts', async (load) => {
  const list = await load<{ connectorById: (id: string) => Connector | undefined }>()
  const handleEvent: Connector['handleEvent'] = async (_context, payload) => ({
    items: [],
    deleted: [],
    statuses: payload['statuses'] as RemoteStatus[],
    ended: null,
  })
  const known = list.connectorById('webhook')
  return {
    ...list,
    connectorById: (id: string) => (id === 'tracker' ? { ...known, handleEvent } : list.connectorById(id)),
  }
})

let server: TestServer

beforeAll(async () => {
  server = await testServer(() => [])
})
afterAll(() => server.stop())

it('a destination’s event reports states, each event once, and touches no feedback', async () => {
  const { services } = server
  const workspaceId = await testWorkspace(services.db)
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const connectionId = await inside(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      insert into connection (workspace_id, connector, settings) values (${workspaceId}, 'tracker', '{}') returning id`.execute(
      tx,
    )
    return rows[0]?.id ?? ''
  })
  const events = [
    { id: 'a', statuses: [{ id: '17', state: 'closed', name: 'Done' }] },
    { id: 'b', statuses: [] },
    { id: 'c', statuses: [{ id: '17', state: 'open', name: null }] },
  ]
  for (const { id, statuses } of events) {
    await inside((tx) =>
      sql`insert into provider_event (workspace_id, connection_id, event_id, kept, received_at)
        values (${workspaceId}, ${connectionId}, ${id}, ${JSON.stringify({ statuses })}::jsonb, clock_timestamp())`.execute(
        tx,
      ),
    )
  }
  const reported: unknown[] = []
  const hooks = {
    stored: async () => expect.unreachable('no feedback was stored'),
    statusesChanged: async (_tx: Tx, connection: object, statuses: readonly RemoteStatus[]) =>
      void reported.push([connection, statuses]),
  }
  const run = { attempt: 1, signal: new AbortController().signal, log: services.log }
  await handleEvents(services, workspaceId, connectionId, hooks, run)
  await handleEvents(services, workspaceId, connectionId, hooks, run)
  const connection = { workspaceId, connectionId }
  expect(reported).toEqual([
    [connection, events[0]?.statuses],
    [connection, events[2]?.statuses],
  ])
  const unhandled = await inside((tx) => sql`select 1 from provider_event where kept is not null`.execute(tx))
  expect(unhandled.rows).toEqual([])
})

import { randomUUID } from 'node:crypto'
import type { Pauses } from '@groundswell/connectors/connector.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connect, type Database } from '../../../platform/db/database.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { Services } from '../../../platform/services.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { connectionContext } from '../context.ts'
import { type Connection, ensureConnection } from '../store.ts'
import { deletePauses } from './pause-store.ts'

/** Another process: with a pool and its own caches. */
let other: { db: Database; services: Services }
let connection: Connection

const test = appOfFile((services) => accountRoutes(services))

beforeAll(async () => {
  const { ownerUrl, appUrl } = test.database
  const db = connect({ ownerUrl, appUrl }, silentLog(), { poolSize: 2 })
  other = { db, services: { ...test.services, db } }
})
afterAll(async () => {
  await other.db.stop()
})
beforeEach(async () => {
  test.time.passMs = 0
  // What is left of a pause is asserted to the second.
  test.time.stoppedAt = Date.now()
  connection = await connectionOf((await test.person(randomUUID())).workspaceId)
})

const connectionOf = (workspaceId: string) =>
  inWorkspace(
    test.services.db,
    workspaceId,
    async (tx) => (await ensureConnection(tx, workspaceId, 'zendesk')).connection,
  )

function pausesIn(services: Services, of = connection): Pauses {
  const { pauses } = connectionContext(services, of)
  if (!pauses) throw new Error('there are none')
  return pauses
}

it('a pause that one process met holds for the others, until it is over', async () => {
  await pausesIn(test.services).set('', 90)
  expect(await pausesIn(other.services).left('')).toBe(90)
  test.time.passMs = 60_000
  expect(await pausesIn(other.services).left('')).toBe(30)
  test.time.passMs = 90_000
  expect(await pausesIn(other.services).left('')).toBe(0)
})

it('a pause of everything includes each scope; that of a scope is its own', async () => {
  await pausesIn(test.services).set('search', 90)
  expect(await pausesIn(other.services).left('')).toBe(0)
  expect(await pausesIn(other.services).left('list')).toBe(0)
  expect(await pausesIn(other.services).left('search')).toBe(90)
  await pausesIn(other.services).set('', 120)
  expect(await pausesIn(test.services).left('search')).toBe(120)
})

it('a shorter pause does not end a longer one', async () => {
  await Promise.all([pausesIn(test.services).set('', 90), pausesIn(other.services).set('', 20)])
  expect(await pausesIn(test.services).left('')).toBe(90)
})

it('a pause is about one connection of one workspace', async () => {
  await pausesIn(test.services).set('', 90)
  const foreign = await connectionOf((await test.person(randomUUID())).workspaceId)
  expect(await pausesIn(test.services, foreign).left('')).toBe(0)
  expect(await pausesIn(test.services, { ...connection, workspaceId: foreign.workspaceId }).left('')).toBe(0)
})

it('a connection that was deleted meanwhile is no error, and a new sign-in starts without pauses', async () => {
  await pausesIn(test.services, { ...connection, id: randomUUID() }).set('', 90)
  await pausesIn(test.services).set('', 90)
  const { workspaceId, id } = connection
  await inWorkspace(test.services.db, workspaceId, (tx) => deletePauses(tx, workspaceId, id))
  expect(await pausesIn(other.services).left('')).toBe(0)
})

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { connectionContext } from '../context.ts'
import { liveConnections } from '../live.ts'
import { connectionRoutes } from '../routes.ts'
import { sealPlainFields } from './seal-plain.ts'
import { openSecrets, sealSecrets } from './secrets.ts'

const URL_WITH_KEY = 'https://hooks.example.com/services/T0/a-key-in-the-path'

const test = appOfFile((services) => [...accountRoutes(services), ...connectionRoutes(services, { syncs: syncsView })])

/** What the row holds, as read directly from the database. */
const rowOf = (person: TestPerson) =>
  inWorkspace(test.services.db, person.workspaceId, async (tx) => {
    const { rows } = await sql<{ row: string }>`select to_jsonb(connection)::text as row from connection`.execute(tx)
    return rows.map(({ row }) => row).join()
  })

const userData = async (as: TestPerson) => (await test.call('GET', '/api/user/user-data', { as })).json()

async function connected(name: string): Promise<TestPerson> {
  const person = await test.person(name)
  const form = { webhook: URL_WITH_KEY, client_token: 'tok-123' }
  expect((await test.call('POST', '/api/webhook/add', { as: person, payload: form })).statusCode).toBe(200)
  return person
}

/** Stores the URL in plain text, as earlier versions did. */
async function storeInTheOpen(person: TestPerson): Promise<void> {
  await inWorkspace(test.services.db, person.workspaceId, async (tx) => {
    const [connection] = await liveConnections(tx, person.workspaceId, 'destination')
    if (!connection) throw new Error('not connected')
    const { webhook: _, ...fields } = openSecrets(test.services, connection).fields
    const sealed = sealSecrets(test.services, connection.id, { ...openSecrets(test.services, connection), fields })
    await sql`
      update connection set sealed_secrets = ${sealed}, settings = ${JSON.stringify({ webhook: URL_WITH_KEY })}::jsonb
      where id = ${connection.id}`.execute(tx)
  })
}

it('a URL is sealed when it is connected, and still shown to its user', async () => {
  const ann = await connected('ann')
  expect(await rowOf(ann)).not.toMatch(/a-key-in-the-path|hooks\.example/)
  expect(await userData(ann)).toMatchObject({ webhook_destination: { url: URL_WITH_KEY }, destination_webhook: true })
})

it('a URL that an earlier version stored in the open works, and is sealed when a worker starts', async () => {
  const bo = await connected('bo')
  await storeInTheOpen(bo)
  expect(await rowOf(bo)).toContain('a-key-in-the-path')
  expect(await userData(bo)).toMatchObject({ webhook_destination: { url: URL_WITH_KEY } })
  await Promise.all([sealPlainFields(test.services), sealPlainFields(test.services)])
  expect(await rowOf(bo)).not.toContain('a-key-in-the-path')
  expect(await userData(bo)).toMatchObject({ webhook_destination: { url: URL_WITH_KEY } })
  const [connection] = await inWorkspace(test.services.db, bo.workspaceId, (tx) =>
    liveConnections(tx, bo.workspaceId, 'destination'),
  )
  if (!connection) throw new Error('not connected')
  expect(connectionContext(test.services, connection).secrets).toMatchObject({
    webhook: URL_WITH_KEY,
    client_token: 'tok-123',
    signing_secret: expect.stringMatching(/^whsec_/),
  })
})

it('of a disconnected connection the URL is removed; with secrets of another key nothing is lost', async () => {
  const cy = await connected('cy')
  await storeInTheOpen(cy)
  await test.call('POST', '/api/webhook/disconnect', { as: cy })
  const di = await connected('di')
  await storeInTheOpen(di)
  await inWorkspace(test.services.db, di.workspaceId, (tx) =>
    sql`update connection set sealed_secrets = 's1.00000000.AAAA'`.execute(tx),
  )
  await sealPlainFields(test.services)
  expect(await rowOf(cy)).not.toContain('a-key-in-the-path')
  expect(await rowOf(di)).toContain('s1.00000000.AAAA')
  expect(await rowOf(di)).toContain('a-key-in-the-path')
})

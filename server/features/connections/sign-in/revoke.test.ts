import { randomUUID } from 'node:crypto'
import { connectors } from '@groundswell/connectors/index.ts'
import { decide, startSlack } from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { duringTests } from '../../../platform/testing.ts'
import { appOfFile, configWith } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { syncsView } from '../../syncs/index.ts'
import { connectionRoutes } from '../routes.ts'
import { ensureConnection } from '../store.ts'
import { disconnectConnection, revokeSignIn } from './revoke.ts'

let ann: TestPerson

const slack = duringTests(() => startSlack({ company: [] }))
const test = appOfFile(
  (services) => [...accountRoutes(services), ...connectionRoutes(services, { syncs: syncsView })],
  () => configWith(slack),
)
beforeEach(async () => {
  if (ann) await disconnect(ann)
  ann = await test.person(randomUUID())
})

const disconnect = (as = ann) => test.call('POST', '/api/slack/disconnect', { as })
const paste = (as = ann) => test.call('POST', '/api/slack/add', { as, payload: { bot_token: slack.botToken } })

async function signIn(as = ann) {
  const { url } = (await test.call('POST', '/api/slack/authorize', { as })).json()
  const payload = Object.fromEntries((await decide(url)).back.searchParams)
  const signedIn = await test.call('POST', '/api/slack/oauth', { as, payload })
  expect(signedIn.statusCode).toBe(200)
}

type Job = { workspaceId: string; connectionId: string; sealedSecrets: string }
/** The jobs of this workspace, oldest first. */
async function jobs(as = ann): Promise<Job[]> {
  const { rows } = await sql<{ data: Job }>`
    select data from queue.job where name = 'revoke-sign-in' and data ->> 'workspaceId' = ${as.workspaceId}
    order by created_on`.execute(test.services.db.kysely)
  return rows.map(({ data }) => data)
}
const run = async (job: Job | undefined, lastAttempt = false) => {
  if (!job) throw new Error('there is no job')
  const { log } = test.services
  await revokeSignIn(test.services, job, { signal: new AbortController().signal, log, lastAttempt })
}
const revoked = () => slack.requests()['auth.revoke'] ?? 0

it('a disconnect ends at once; the token is revoked by a job that alone has it, sealed', async () => {
  await signIn()
  const before = revoked()
  expect((await disconnect()).json()).toEqual({ message: 'Slack is disconnected' })
  expect(revoked()).toBe(before)
  const [job] = await jobs()
  expect(JSON.stringify(job)).not.toContain('xoxb')
  await run(job)
  expect(revoked()).toBe(before + 1)
  // The token no longer works: another run finds nothing to revoke.
  await run(job)
  expect(revoked()).toBe(before + 2)
})

it('a sign-in is revoked only after its subscription had time to be removed with it', async () => {
  const both = connectors.find(({ revoke, subscriptions }) => revoke && subscriptions)?.manifest.id ?? ''
  const { workspaceId } = ann
  const delays = async (connector: string) => {
    await inWorkspace(test.services.db, workspaceId, async (tx) => {
      const { connection } = await ensureConnection(tx, workspaceId, connector)
      await disconnectConnection(test.services, tx, { ...connection, sealedSecrets: 'sealed' })
    })
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - created_on)::float as seconds from queue.job
      where name = 'revoke-sign-in' and data ->> 'workspaceId' = ${workspaceId} order by created_on desc limit 1`.execute(
      test.services.db.kysely,
    )
    return Math.round(rows[0]?.seconds ?? -1)
  }
  expect(await delays('slack')).toBe(0)
  expect(await delays(both)).toBeGreaterThanOrEqual(60)
})

it('a disconnect succeeds while the provider is down, and the job is retried', async () => {
  await signIn()
  slack.fault('500', 2)
  expect((await disconnect()).statusCode).toBe(200)
  const [job] = await jobs()
  await expect(run(job)).rejects.toMatchObject({ kind: 'unavailable' })
  await run(job, true)
  const before = revoked()
  slack.fault('429', 1, 'auth.revoke')
  await expect(run(job, true)).rejects.toMatchObject({ kind: 'rate-limited' })
  test.time.passMs += 60_000
  await run(job)
  expect(revoked()).toBe(before + 2)
})

it('a sign-in that another live connection of the account uses is not revoked', async () => {
  const bob = await test.person(randomUUID())
  await signIn()
  await signIn(bob)
  const before = revoked()
  await disconnect()
  await run((await jobs())[0])
  await signIn()
  await disconnect(bob)
  await run((await jobs(bob))[0])
  expect(revoked()).toBe(before)
})

it('a connection that is live again by the time of the job is left alone', async () => {
  await signIn()
  await disconnect()
  const before = revoked()
  await signIn()
  await run((await jobs())[0])
  expect(revoked()).toBe(before)
})

it('a pasted token is not revoked', async () => {
  expect((await paste()).statusCode).toBe(200)
  const before = revoked()
  await disconnect()
  for (const job of await jobs()) await run(job)
  expect(revoked()).toBe(before)
})

it('pasting a token over a sign-in takes its place: then nothing is revoked', async () => {
  await signIn()
  await paste()
  const before = revoked()
  await disconnect()
  for (const job of await jobs()) await run(job)
  expect(revoked()).toBe(before)
})

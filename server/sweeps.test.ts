import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DB } from './platform/db/schema.ts'
import { inWorkspace } from './platform/db/tenant.ts'
import { testWorkspace } from './platform/db/testing.ts'
import { type TestServices, testServices } from './platform/http/testing.ts'
import type { Handler, Job, Queue } from './platform/queue/queue.ts'
import type { Services } from './platform/services.ts'
import { jobs } from './wiring.ts'

const SWEEPS = [
  'customer-sweep',
  'deliver-sweep',
  'describe-sweep',
  'digest-sweep',
  'embeddings-sweep',
  'group-sweep',
  'import-sweep',
  'post-sweep',
  'receiver-sweep',
  'remote-items-sweep',
  'report-sweep',
  'retention-sweep',
  'search-sweep',
  'subscription-sweep',
  'sync-sweep',
  'tag-sweep',
]
/** Sweeps that are not about workspaces. */
const OTHERS = ['account-sweep']

const TEN_MINUTES_MS = 600_000

let test: TestServices
let services: Services
let queries = 0
const handlers = new Map<string, () => Promise<unknown>>()

beforeAll(async () => {
  test = await testServices()
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const kysely: Kysely<DB> = test.services.db.kysely.withPlugin(counting)
  // Models that no sweep calls, and a minute in which the sweep of embeddings looks for missing vectors.
  const model = { provider: 'openai-compatible' as const, url: 'http://127.0.0.1:9', model: 'never-called' }
  const config = {
    ...test.services.config,
    llm: { ...model, tokensPerDay: 1_000 },
    embeddings: model,
    encoder: {},
    smtpUrl: 'smtp://127.0.0.1:9',
  }
  const now = new Date(Math.ceil(Date.now() / TEN_MINUTES_MS) * TEN_MINUTES_MS)
  services = { ...test.services, config, now: () => now, db: { ...test.services.db, kysely } }
  const queue = {
    ...test.services.queue,
    work: async (job: Job<unknown>, handler: Handler<unknown>) => {
      handlers.set(job.name, async () => handler({}, {} as never))
    },
    schedule: async () => undefined,
    unschedule: async () => undefined,
  } as unknown as Queue
  for (const worker of jobs(services)) await worker.start(queue)
})
afterAll(() => test.stop())

const run = async (name: string) => {
  const before = queries
  await handlers.get(name)?.()
  return queries - before
}

/** Makes a workspace due, for every sweep that looks for changes or for feedback to group. */
const change = (workspaceId: string) =>
  inWorkspace(services.db, workspaceId, async (tx) => {
    await sql`update workspace set revision = revision + 1`.execute(tx)
    await sql`
      insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
      select ${workspaceId}, id, gen_random_uuid(), 'text', now() from connection`.execute(tx)
    await sql`
      update import set started_at = now() - interval '1 hour' where workspace_id = ${workspaceId}`.execute(tx)
  })

it('every sweep is listed here', () => {
  const names = jobs(services).map(({ name }) => name)
  const sweeps = names.filter((name) => name.endsWith('-sweep'))
  expect(sweeps.sort()).toEqual([...SWEEPS, ...OTHERS].sort())
})

it.each(SWEEPS)('%s makes as many queries with 200 idle workspaces as with none', async (name) => {
  const busy = await testWorkspace(services.db)
  await inWorkspace(services.db, busy, async (tx) => {
    await sql`
      insert into connection (workspace_id, connector, name) values (${busy}, 'slack', 'Slack')`.execute(tx)
    await sql`
      insert into sync_state (workspace_id, connection_id, status, moved_at)
      select ${busy}, id, 'idle', now() - interval '1 day' from connection`.execute(tx)
    await sql`
      insert into event_subscription (workspace_id, connection_id, key_hash, due_at)
      select ${busy}, id, uuid_send(id), now() - interval '1 hour' from connection`.execute(tx)
    await sql`insert into feedback_retention (workspace_id, days) values (${busy}, 1)`.execute(tx)
    await sql`insert into insight (workspace_id, issue_number, name, summary) values (${busy}, 1, 'n', 's')`.execute(tx)
    await sql`
      insert into remote_item (workspace_id, connection_id, issue_number, remote_id, state, next_check_at, created_at)
      select ${busy}, id, 1, 'r', 'open', now() - interval '1 hour', now() from connection`.execute(tx)
    await sql`
      insert into import (workspace_id, connection_id, name, options)
      select ${busy}, id, 'a.csv', '{"uploaded": true}' from connection`.execute(tx)
  })
  await run(name)
  await change(busy)
  const alone = await run(name)
  for (let idle = 0; idle < 200; idle += 1) await testWorkspace(services.db)
  // A new workspace is checked once.
  await run(name)
  await change(busy)
  const amongIdle = await run(name)
  expect(amongIdle).toBe(alone)
  expect(alone).toBeGreaterThan(0)
})

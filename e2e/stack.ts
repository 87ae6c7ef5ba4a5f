import { createHash } from 'node:crypto'
import path from 'node:path'
import {
  loadCompany,
  type Receiver,
  type SlackSandbox,
  startReceiver,
  startSlack,
} from '@groundswell/connectors/sandbox/index.ts'
import { startApi } from '@groundswell/server/api.ts'
import { withCaches } from '@groundswell/server/platform/caches.ts'
import type { Config } from '@groundswell/server/platform/config/config.ts'
import { withoutWorkspace } from '@groundswell/server/platform/db/tenant.ts'
import { testDatabase } from '@groundswell/server/platform/db/testing.ts'
import { webFiles } from '@groundswell/server/platform/http/web.ts'
import { type Log, silentLog } from '@groundswell/server/platform/log/log.ts'
import { createQueue } from '@groundswell/server/platform/queue/queue.ts'
import { QUEUE_SCHEMA } from '@groundswell/server/platform/queue/schema.ts'
import { loadKey } from '@groundswell/server/platform/secrets/key.ts'
import type { Services } from '@groundswell/server/platform/services.ts'
import { keptThreads } from '@groundswell/server/platform/testing.ts'
import { startWorker } from '@groundswell/server/worker.ts'
import { sql } from 'kysely'
import { vi } from 'vitest'

type Account = { email: string; password: string; name: string }

/** The whole product on its own database, with a receiver for its webhooks and a stand-in for Slack. */
export type Stack = {
  url: string
  services: Services
  receiver: Receiver
  slack: SlackSandbox
  /** Advances the server's clock. */
  passTime(ms: number): void
  /** Creates an account over HTTP and returns its token. */
  signUp(account: Account): Promise<string>
  /** Calls the API with a token and returns the parsed reply; a refusal is an error with its body. */
  call(token: string, method: string, path: string, body?: unknown): Promise<unknown>
  /**
   * Waits until all feedback stored so far is grouped, including the revision some seconds after the last message, which it brings forward,
   * and, where the sentence encoder runs, the one after it has read everything.
   */
  grouped(): Promise<void>
  stop(): Promise<void>
}

export type StackOptions = { config?: Partial<Config>; log?: Log }

/** Where the queue's library announces the kinds of jobs that are due. */
const NOTIFY_CHANNEL = `pgboss_${createHash('sha224').update(QUEUE_SCHEMA).digest('hex').slice(0, 24)}`

/** All stacks of a worker serve the same web app, which takes seconds to compress. */
const web = webFiles(path.resolve(import.meta.dirname, '../web/dist'))

/** How many jobs of these kinds are waiting or running. Those that wait for a later time are due from now on. */
async function hurryJobs({ db }: Services, names: string[]): Promise<number> {
  const jobs = sql.id(QUEUE_SCHEMA, 'job')
  const { rows } = await withoutWorkspace(db, async (tx) => {
    await sql`
      with moved as (
        update ${jobs} set start_after = now() where name = any(${names}) and state = 'created' and start_after > now() returning name
      )
      select pg_notify(${sql.lit(NOTIFY_CHANNEL)}, name) from moved group by name`.execute(tx)
    return sql<{ count: number }>`
      select count(*)::int as count from ${jobs}
      where name = any(${names}) and state in ('created', 'retry', 'active')`.execute(tx)
  })
  return rows[0]?.count ?? 0
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await testDatabase()
  const slack = await startSlack({ company: loadCompany().slice(0, 200) })
  const config = {
    ...database.config,
    port: 0,
    allowPrivateAddresses: ['127.0.0.1', 'localhost'],
    baseUrls: { slack: slack.url },
    appCredentials: slack.environment,
    ...options.config,
  }
  const log = options.log ?? silentLog()
  const key = await loadKey(config)
  const queue = await createQueue({ db: database.db, log })
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const services = withCaches({ config, log, db: database.db, queue, key, now, threads: keptThreads })
  const api = await startApi(services, { webFiles: web })
  config.publicUrl = api.url
  slack.sendEventsTo(`${api.url}/api/slack/events`)
  await startWorker(services)
  let secret: string | undefined
  const receiver = await startReceiver({ secret: () => secret })

  const call = async (token: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const raw = typeof body === 'string'
    const response = await fetch(`${api.url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': raw ? 'application/octet-stream' : 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const reply: unknown = JSON.parse(text)
    if (path === '/api/webhook/signing-secret') secret = (reply as { secret: string }).secret
    return reply
  }

  return {
    url: api.url,
    services,
    receiver,
    slack,
    passTime(ms) {
      ahead += ms
    },
    async signUp(account) {
      const reply = (await call('', 'POST', '/api/auth/signup', account)) as { token: string }
      return reply.token
    },
    call,
    async grouped() {
      await vi.waitUntil(
        async () =>
          (await hurryJobs(services, ['import', 'group-workspace', 'encode-items', 'encode-workspace'])) === 0,
        {
          // The encoder works at the lowest priority: beside other tests it takes long.
          timeout: 300_000,
          interval: 100,
        },
      )
    },
    async stop() {
      await api.close()
      await receiver.stop()
      await slack.stop()
      await queue.stop()
      await services.caches.dispose()
      await database.cleanup()
    },
  }
}

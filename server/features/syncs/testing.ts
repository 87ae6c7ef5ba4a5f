import {
  type CompanyMessage,
  decide,
  type SlackOptions,
  type SlackSandbox,
  startSlack,
} from '@groundswell/connectors/sandbox/index.ts'
import { sql } from 'kysely'
import { authenticate } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { createLog } from '../../platform/log/log.ts'
import { configWith } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import type { Connection } from '../connections/index.ts'
import { connectionRoutes, liveConnections, postingSignInRoutes } from '../connections/index.ts'
import { keptFeedbackRoutes } from './kept-feedback.ts'
import { requestSync } from './request-sync.ts'
import { syncRoutes } from './routes.ts'
import type { SyncRun } from './settle-failure.ts'
import { syncConnection } from './sync-connection.ts'
import { readSync, type SyncState } from './sync-state-store.ts'
import { syncsView } from './views-store.ts'

type Stored = { externalId: string; text: string; author: string | null; place: string | null }

/** A server with a sandbox Slack as its provider. Syncs run only when a test says so. */
export type SyncApp = {
  test: TestApp
  slack: SlackSandbox
  /** Log lines of everything that `sync` did. */
  lines: string[]
  /** Signs in on the consent page and comes back with its code. */
  connect(person: TestPerson): Promise<void>
  connection(person: TestPerson): Promise<Connection & SyncState>
  /** One run of the sync job, as a worker does it. True: it has more to do. */
  sync(person: TestPerson, run?: Partial<SyncRun>, stored?: (tx: Tx) => Promise<void>): Promise<boolean>
  begin(person: TestPerson): Promise<void>
  items(person: TestPerson): Promise<Stored[]>
  /** What the tile shows. */
  tile(person: TestPerson): Promise<Record<string, unknown> | null>
  cleanup(): Promise<void>
}

/** `company`: the initial messages of the workspace. */
export async function startSyncApp(company?: readonly CompanyMessage[], options: SlackOptions = {}): Promise<SyncApp> {
  const slack = await startSlack({ ...(company ? { company } : {}), retryDelays: [], ...options })
  const test = await testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...connectionRoutes(services, {
          syncs: syncsView,
          sourceReady: async (tx, { workspaceId, connectionId }) => {
            await requestSync(services)(tx, workspaceId, connectionId)
          },
        }),
        ...postingSignInRoutes(services),
        ...syncRoutes(services),
        ...keptFeedbackRoutes(services, { stored: async () => undefined }),
      ],
      authenticate: authenticate(services),
    }),
    configWith(slack),
  )
  const lines: string[] = []
  const log = createLog({ logLevel: 'trace', destination: { write: (line) => void lines.push(line) } })
  const app: SyncApp = {
    test,
    slack,
    lines,
    async connect(person) {
      const started = await test.call('POST', '/api/slack/authorize', { as: person })
      const payload = Object.fromEntries((await decide(started.json().url)).back.searchParams)
      const answer = await test.call('POST', '/api/slack/oauth', { as: person, payload })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },
    async connection(person) {
      return inWorkspace(test.services.db, person.workspaceId, async (tx) => {
        const live = await liveConnections(tx, person.workspaceId, 'source')
        const found = live.find(({ connector }) => connector === 'slack')
        const sync = found && (await readSync(tx, person.workspaceId, found.id))
        if (!sync) throw new Error('not connected')
        return { ...found, ...sync }
      })
    },
    async sync(person, run = {}, stored = async () => undefined) {
      const { id } = await app.connection(person)
      const whole = { lastAttempt: false, signal: new AbortController().signal, log, ...run }
      return syncConnection({ ...test.services, log }, person.workspaceId, id, { stored }, whole)
    },
    async begin(person) {
      await test.call('POST', '/api/slack/sync', { as: person })
    },
    items: (person) =>
      inWorkspace(test.services.db, person.workspaceId, async (tx) => {
        const { rows } = await sql<Stored>`
          select external_id as "externalId", text, author, place from feedback_item order by external_id`.execute(tx)
        return rows
      }),
    async tile(person) {
      const { connectors } = (await test.call('GET', '/api/connectors', { as: person })).json()
      return connectors.find((one: { manifest: { id: string } }) => one.manifest.id === 'slack').connection
    },
    async cleanup() {
      await slack.stop()
      await test.cleanup()
    },
  }
  return app
}

/** A small company: this many messages, in three channels, every fourth one a reply. */
export function smallCompany(count: number): CompanyMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    kind: 'message' as const,
    channel: ['general', 'bugs', 'ideas'][Math.floor(index / 4) % 3] ?? 'general',
    thread: index % 4 === 3 ? `m${index - 3}` : null,
    author: `Person ${index % 7}`,
    company: 'Acme',
    at: index * 3,
    text: `The export number ${index} stops halfway`,
    label: null,
    also: [],
    lang: 'en' as const,
  }))
}

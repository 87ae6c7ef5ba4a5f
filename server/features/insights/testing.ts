import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import type { Handler } from '../../platform/http/handle.ts'
import { type TestServer, testServer } from '../../platform/http/testing.ts'
import type { Services } from '../../platform/services.ts'
import { fileConnection } from '../connections/index.ts'
import { meaningHooks } from '../embeddings/index.ts'
import { storeItems } from '../feedback/index.ts'
import { forgetGroups } from './grouping/run.ts'
import { workspacesToGroup } from './grouping/stores/work-store.ts'
import { insightRoutes } from './index.ts'

/** A message to store. */
export type Message = {
  id: string
  text: string
  author?: string
  at?: Date
  dateKnown?: false
  dateOnly?: true
  link?: string
  attributes?: Record<string, string>
}

/** A server with a settable clock, and workspaces for tests. */
export class World {
  readonly services: Services
  readonly app: FastifyInstance
  readonly #server: TestServer
  now: Date = new Date('2026-03-02T10:20:00Z')

  private constructor(server: TestServer) {
    this.#server = server
    this.services = server.services
    this.app = server.app
    this.services.now = () => this.now
  }

  static async start(more: (services: Services) => Handler[] = () => []): Promise<World> {
    return new World(
      await testServer((services) => [...insightRoutes(services, meaningHooks(services)), ...more(services)]),
    )
  }

  async stop(): Promise<void> {
    await forgetGroups(this.services)
    await this.#server.stop()
  }

  /** A second process on the same database: nothing in memory is shared. */
  otherProcess(): Services {
    return withCaches(this.services)
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  workspace(): Promise<string> {
    return testWorkspace(this.services.db)
  }

  /** Stores messages as an import does. Tests use the same ids in every workspace. */
  async store(workspaceId: string, messages: readonly Message[]): Promise<void> {
    await this.inside(workspaceId, async (tx) => {
      const connection = await fileConnection(tx, workspaceId)
      const items = messages.map(({ id, text, author, at, dateKnown, dateOnly, link, attributes }) => ({
        externalId: id,
        text,
        author: author ?? null,
        at: at ?? this.now,
        ...(dateKnown === undefined ? {} : { dateKnown }),
        ...(dateOnly ? { dateOnly } : {}),
        link: link ?? null,
        thread: null,
        place: null,
        ...(attributes ? { attributes } : {}),
      }))
      await storeItems(tx, workspaceId, connection.id, items)
    })
  }

  async waitsToBeGrouped(workspaceId: string): Promise<boolean> {
    const waiting = await withoutWorkspace(this.services.db, workspacesToGroup)
    return waiting.includes(workspaceId)
  }

  /** Inserts an insight with mentions; each is the given part of its message. */
  async insight(
    workspaceId: string,
    issueNumber: number,
    mentions: readonly (Omit<Message, 'id'> & { message: string })[],
  ): Promise<void> {
    const ids = mentions.map(() => crypto.randomUUID())
    await this.store(
      workspaceId,
      mentions.map(({ message, ...rest }, index) => ({ ...rest, id: ids[index] as string, text: message })),
    )
    await this.inside(workspaceId, async (tx) => {
      await sql`
        insert into insight (workspace_id, issue_number, name, summary, revision, sources, mention_count, people_count,
          last_updated)
        values (${workspaceId}, ${issueNumber}, ${`issue ${issueNumber}`}, 'what they say',
          (select revision + 1 from workspace), '{file}', ${mentions.length}, ${mentions.length}, ${this.now})
        on conflict (workspace_id, issue_number) do update set revision = excluded.revision,
          mention_count = insight.mention_count + excluded.mention_count, last_updated = excluded.last_updated`.execute(
        tx,
      )
      for (const [index, { message, text }] of mentions.entries()) {
        const start = message.indexOf(text)
        await sql`
          insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score,
            reason, said_at, date_only)
          select workspace_id, id, 0, ${start}, ${start + text.length}, 'joined', ${issueNumber}, 1, 'test', said_at, date_only
          from feedback_item where external_id = ${ids[index]}`.execute(tx)
      }
      await sql`update feedback_item set grouped_seq = 1 where external_id = any(${ids}::text[])`.execute(tx)
      await sql`update workspace set revision = revision + 1`.execute(tx)
      await sql`select pg_notify('revision', workspace_id || ':' || revision) from workspace`.execute(tx)
    })
  }

  async call(
    workspaceId: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    headers: Record<string, string> = {},
    payload?: object,
  ): Promise<{ status: number; etag: string; text: string; body: unknown }> {
    const response = await this.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${workspaceId}`, ...headers },
      ...(payload ? { payload } : {}),
    })
    const text = response.body
    return {
      status: response.statusCode,
      etag: String(response.headers.etag),
      text,
      body: text === '' ? null : JSON.parse(text),
    }
  }

  /** The groups of a workspace, in a form that does not depend on row ids. */
  async groups(workspaceId: string): Promise<unknown> {
    return this.inside(workspaceId, async (tx) => {
      const statements = await sql`
        select item.external_id, s.number, s.start_offset, s.end_offset, s.kind, s.issue_number, s.said_at
        from statement s join feedback_item item on item.id = s.item_id order by 1, 2`.execute(tx)
      const insights = await sql`
        select issue_number, name, summary, status, mention_count, people_count, first_seen, last_seen, hidden, sources,
          ended_at is not null as ended, merged_into, removed_in_engine
        from insight order by 1`.execute(tx)
      return { statements: statements.rows, insights: insights.rows }
    })
  }
}

/** A short id derived from a text. */
export function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The world of the test file. */
export let world: World

/** Gives the tests of the file one world. */
export function withWorld(more?: Parameters<typeof World.start>[0]): void {
  beforeAll(async () => {
    world = await World.start(more)
  })
  afterAll(() => world.stop())
}

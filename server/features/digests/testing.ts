import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { withCaches } from '../../platform/caches.ts'
import type { Config } from '../../platform/config/config.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import type { Handler } from '../../platform/http/handle.ts'
import { type TestServer, testServer } from '../../platform/http/testing.ts'
import { type MailServer, mailServer } from '../../platform/mail/testing.ts'
import type { Services } from '../../platform/services.ts'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { digestRoutes } from './routes.ts'

/** A workspace with one member, whose id is that of the workspace, and their address. */
export type Mailed = { workspace: string; address: string }

/** A server with a clock that tests set, and a mail server of its own. */
export class MailWorld {
  readonly services: Services
  readonly app: FastifyInstance
  readonly mail: MailServer
  readonly #server: TestServer
  now: Date = new Date('2026-03-02T10:20:00Z')

  private constructor(server: TestServer, mail: MailServer) {
    this.#server = server
    this.services = server.services
    this.app = server.app
    this.mail = mail
    this.services.now = () => this.now
  }

  /** `routes`: what the server has besides the calls of mails. */
  static async start(
    routes: (services: Services) => Handler[] = () => [],
    more: Partial<Config> = {},
  ): Promise<MailWorld> {
    const mail = await mailServer()
    const config = {
      ...more,
      smtpUrl: mail.url,
      publicUrl: 'https://feedback.example',
      mailFrom: 'Groundswell <groundswell@feedback.example>',
    }
    return new MailWorld(await testServer((services) => [...digestRoutes(services), ...routes(services)], config), mail)
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await this.mail.stop()
  }

  /** A second process on the same database: nothing in memory is shared. */
  otherProcess(): Services {
    return withCaches(this.services)
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  /** A workspace with a member whose address is confirmed. */
  async member(name: string): Promise<Mailed> {
    const workspace = await testWorkspace(this.services.db)
    const address = `${name}-${workspace.slice(0, 8)}@example.com`
    await withoutWorkspace(this.services.db.accounts, (tx) =>
      sql`insert into account (id, email, name, password_hash, email_confirmed_at)
        values (${workspace}, ${address}, ${name}, 'none', now())`.execute(tx),
    )
    await this.inside(workspace, (tx) =>
      sql`insert into member (workspace_id, account_id, role) values (${workspace}, ${workspace}, 'owner')`.execute(tx),
    )
    return { workspace, address }
  }

  /**
   * Adds mentions to an insight, each by a different person, made and arrived at that time. The insight was made with its first mentions, or
   * at `createdAt`.
   */
  async mention(
    workspaceId: string,
    number: number,
    { at, count, createdAt = at }: { at: string; count: number; createdAt?: string },
  ): Promise<void> {
    const ids = Array.from({ length: count }, () => crypto.randomUUID())
    await this.inside(workspaceId, async (tx) => {
      const { id: connection } = await fileConnection(tx, workspaceId)
      const items = ids.map((externalId) => ({
        externalId,
        text: `It fails ${externalId}`,
        author: null,
        at: new Date(at),
      }))
      await storeItems(
        tx,
        workspaceId,
        connection,
        items.map((item) => ({ ...item, link: null, thread: null, place: null })),
      )
      await sql`update feedback_item set grouped_seq = 1, stored_at = ${at} where external_id = any(${ids}::text[])`.execute(
        tx,
      )
      await sql`
        insert into insight (workspace_id, issue_number, name, summary, revision, mention_count, people_count, last_seen, created_at)
        values (${workspaceId}, ${number}, ${`issue ${number}`}, 'what they say', 1, ${count}, ${count}, ${at}, ${createdAt})
        on conflict (workspace_id, issue_number) do update set mention_count = insight.mention_count + ${count},
          people_count = insight.people_count + ${count}, last_seen = excluded.last_seen`.execute(tx)
      await sql`
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
        select workspace_id, id, 0, 0, length(text), 'joined', ${number}, 1, 'test', said_at from feedback_item
        where external_id = any(${ids}::text[])`.execute(tx)
      await sql`
        insert into insight_day (workspace_id, issue_number, day, mentions)
        values (${workspaceId}, ${number}, ${at.slice(0, 10)}::date, ${count})
        on conflict (workspace_id, issue_number, day) do update set mentions = insight_day.mentions + ${count}`.execute(
        tx,
      )
      // A trigger notes new mentions, which are counted by day already.
      await sql`delete from mention_change`.execute(tx)
      await sql`update workspace set revision = revision + 1`.execute(tx)
    })
  }

  /** Makes a call as the member of a workspace. */
  call(
    workspaceId: string,
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<LightMyRequestResponse> {
    return this.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${workspaceId}` },
      ...(payload ? { payload } : {}),
    })
  }

  /** The mails that an address got. */
  mailsTo(address: string): MailServer['mails'] {
    return this.mail.mails.filter(({ to }) => to === address)
  }
}

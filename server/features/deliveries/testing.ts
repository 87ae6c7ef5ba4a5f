import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { type TestServer, testServer } from '../../platform/http/testing.ts'
import type { Services } from '../../platform/services.ts'
import { connectionRoutes } from '../connections/index.ts'
import { settingsRoutes } from '../settings/index.ts'
import { syncsView } from '../syncs/index.ts'
import { considerPush } from './ask.ts'
import { holdQualified } from './held/hold.ts'
import { sweepDeliveries } from './jobs.ts'
import { deliveryRoutes } from './routes.ts'
import { deliver } from './send.ts'
import type { SendEvent } from './send-event.ts'
import { readItemsOfConnections } from './trackers/remote-item-store.ts'

/** A request as the receiver got it; `id` is that of the event. */
export type Received = { id: string; headers: IncomingHttpHeaders; body: string; payload: WebhookPayload }

/** A webhook receiver over real HTTP that records what it received. `answer` decides how it replies. */
export class Receiver {
  readonly received: Received[] = []
  answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Receiver> {
    const server = createServer()
    const receiver = new Receiver(server)
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const id = String(request.headers['webhook-id'])
        receiver.received.push({ id, headers: request.headers, body, payload: WebhookPayload.parse(JSON.parse(body)) })
        receiver.answer(response, receiver.received.length)
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

/** A server with a clock that tests set, and workspaces of their own. */
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

  static async start(): Promise<World> {
    const handlers = (services: Services) => [
      ...connectionRoutes(services, {
        syncs: syncsView,
        itemsOf: readItemsOfConnections,
        destinationReady: (tx, { workspaceId, connectionId }) => holdQualified(services)(tx, workspaceId, connectionId),
        destinationResumed: (tx, { workspaceId }) => considerPush(services)(tx, workspaceId),
      }),
      ...settingsRoutes(services, { thresholdChanged: holdQualified(services) }),
      ...deliveryRoutes(services),
    ]
    const config = { allowPrivateAddresses: ['127.0.0.1'], publicUrl: 'https://feedback.example' }
    return new World(await testServer(handlers, config))
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  async workspace(): Promise<string> {
    const workspaceId = await testWorkspace(this.services.db)
    await this.inside(workspaceId, (tx) =>
      sql`insert into connection (workspace_id, connector) values (${workspaceId}, 'file')`.execute(tx),
    )
    return workspaceId
  }

  async call(workspaceId: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, body?: object) {
    const response = await this.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${workspaceId}` },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: response.statusCode, body: response.json() as Record<string, unknown> }
  }

  async choose(workspaceId: string, tile: string, chosen: Record<string, string[]>): Promise<void> {
    const { status, body } = await this.call(workspaceId, 'PUT', `/api/${tile}/choices`, chosen)
    if (status !== 200) throw new Error(`not chosen: ${JSON.stringify(body)}`)
  }

  async connect(workspaceId: string, url: string): Promise<void> {
    const { status, body } = await this.call(workspaceId, 'POST', '/api/webhook/add', { webhook: url })
    if (status !== 200) throw new Error(`not connected: ${JSON.stringify(body)}`)
  }

  /** Adds mentions to an issue, and considers pushing it, in one transaction, as grouping does. */
  async say(workspaceId: string, issueNumber: number, mentions: number): Promise<void> {
    await this.inside(workspaceId, async (tx) => {
      await sql`
        insert into insight (workspace_id, issue_number, name, summary)
        values (${workspaceId}, ${issueNumber}, ${`issue ${issueNumber}`}, 'what they say')
        on conflict do nothing`.execute(tx)
      await sql`
        with item as (
          insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at, grouped_seq)
          select ${workspaceId}::uuid, connection.id, gen_random_uuid()::text, 'It fails again 🤯 every day', 'Kim', ${this.now},
            1
          from connection, generate_series(1, ${mentions}::int)
          where connection.workspace_id = ${workspaceId} and connector = 'file'
          returning id
        )
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
        select ${workspaceId}::uuid, id, 0, 0, 17, 'joined', ${issueNumber}, 1, 'test', ${this.now} from item`.execute(
        tx,
      )
      await sql`
        update insight set heard = heard + ${mentions}::int, mention_count = mention_count + ${mentions}::int,
          people_count = 1
        where workspace_id = ${workspaceId} and issue_number = ${issueNumber}`.execute(tx)
      await considerPush(this.services)(tx, workspaceId, [issueNumber])
    })
  }

  /** Every delivery of a workspace, oldest first, as the call shows it. */
  async deliveries(workspaceId: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.call(workspaceId, 'GET', '/api/deliveries')
    return (body.deliveries as Record<string, unknown>[]).reverse()
  }

  async attempts(workspaceId: string, id: unknown): Promise<Record<string, unknown>[]> {
    const { body } = await this.call(workspaceId, 'GET', `/api/deliveries/${String(id)}`)
    return body.attempts as Record<string, unknown>[]
  }

  /** One attempt at each delivery that waits or is being sent, as a worker would make it. Permanent failures are returned. */
  async work(workspaceId: string, send?: SendEvent): Promise<Error[]> {
    const failures: Error[] = []
    for (const { id, state, again, attempts } of await this.deliveries(workspaceId)) {
      if (![state, again].some((one) => one === 'waiting' || one === 'sending')) continue
      const data = { workspaceId, deliveryId: String(id), attempts: Number(attempts) }
      await deliver(this.services, data, new AbortController().signal, send).catch((error: Error) =>
        failures.push(error),
      )
    }
    return failures
  }

  /** What the sweep and the worker do in a minute. Permanent failures are returned. */
  async sweepAndWork(workspaceId: string): Promise<Error[]> {
    await sweepDeliveries(this.services)
    return this.work(workspaceId)
  }

  later(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * 60_000)
  }
}

/** The server of the test file, the workspace of the current test, and its receiver. */
export let world: World
export let workspace: string
export let receiver: Receiver

/** Gives the tests of the file one server. */
export function withWorld(): void {
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world.stop())
}

/** Gives each test of the file a workspace on one server. `prepare` returns what ends it. */
export function eachInWorkspace(prepare: (world: World, workspace: string) => Promise<() => PromiseLike<void>>): void {
  withWorld()
  beforeEach(async () => {
    workspace = await world.workspace()
    return prepare(world, workspace)
  })
}

/** Gives each test of the file a workspace and a receiver that it is not yet connected to. */
export function eachWithReceiver(prepare: () => Promise<void> = async () => {}): void {
  eachInWorkspace(async () => {
    receiver = await Receiver.start()
    await prepare()
    return () => receiver.stop()
  })
}

/** Numbers in ascending order. */
export function ascending(numbers: readonly unknown[]): number[] {
  return numbers.map(Number).sort((a, b) => a - b)
}

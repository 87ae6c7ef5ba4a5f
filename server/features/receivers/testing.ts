import { type TestServer as HttpServer, startServer } from '@groundswell/connectors/kit/testing.ts'
import { OutgoingEvent } from '@groundswell/contract/receivers/outgoing-event.ts'
import type { Receiver, ReceiverDelivery } from '@groundswell/contract/receivers.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { type TestApp, type TestServer, testServer } from '../../platform/http/testing.ts'
import type { Services } from '../../platform/services.ts'
import { fileConnection } from '../connections/index.ts'
import { insightRoutes } from '../insights/index.ts'
import { deliverTo } from './deliver.ts'
import { readDueReceivers } from './delivery-store.ts'
import { receiverRoutes } from './routes.ts'

/** A receiver that was added, with the server at its address. `replies`: the status of the next requests, 200 without one. */
export type AddedReceiver = { id: string; secret: string; server: HttpServer; replies: number[] }

/** A server with receivers of events. Its clock runs on from the present, since the database dates events. */
export class ReceiverWorld {
  readonly services: Services
  readonly time: TestApp['time'] = { passMs: 0 }
  readonly #test: TestServer
  readonly #servers: HttpServer[] = []

  private constructor(test: TestServer) {
    this.#test = test
    this.services = test.services
    this.services.now = () => new Date((this.time.stoppedAt ?? Date.now()) + this.time.passMs)
  }

  static async start(): Promise<ReceiverWorld> {
    const config = { allowPrivateAddresses: ['127.0.0.1'], publicUrl: 'https://feedback.example' }
    const parts = (services: Services) => [...insightRoutes(services), ...receiverRoutes(services)]
    return new ReceiverWorld(await testServer(parts, config))
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]()
    await this.#test.stop()
  }

  inside<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.services.db, workspaceId, work)
  }

  /** A workspace with this many insights, each with one mention. */
  async workspace(insights = 1): Promise<string> {
    const id = await testWorkspace(this.services.db)
    await this.inside(id, async (tx) => {
      const { id: connection } = await fileConnection(tx, id)
      for (let number = 1; number <= insights; number += 1) {
        await sql`
          with item as (
            insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
            values (${id}, ${connection}, ${`m${number}`}, 'It fails', now()) returning id
          ), insight as (
            insert into insight (workspace_id, issue_number, name, summary)
            values (${id}, ${number}, ${`issue ${number}`}, 'what they say')
          )
          insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
          select ${id}, item.id, 0, 0, 8, 'joined', ${number}, 1, 'test', now() from item`.execute(tx)
      }
    })
    return id
  }

  /** Adds a receiver whose address is a real server. */
  async add(
    workspaceId: string,
    events: readonly string[] | null = null,
    handler?: Parameters<typeof startServer>[0],
  ): Promise<AddedReceiver> {
    const replies: number[] = []
    const server = await startServer(
      handler ?? ((_, response) => response.writeHead(replies.shift() ?? 200, { location: '/elsewhere' }).end('ok')),
    )
    this.#servers.push(server)
    const payload = { url: `${server.url}/hook`, description: '', events }
    const { receiver, secret } = await this.call<{ receiver: Receiver; secret: string }>(
      workspaceId,
      'POST',
      '/api/receivers',
      payload,
    )
    return { id: receiver.id, secret, server, replies }
  }

  /** Makes a call as an owner. */
  async ask(
    workspaceId: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<{ status: number; text: string }> {
    const headers = { authorization: `Bearer ${workspaceId}` }
    const response = await this.#test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, text: response.body }
  }

  /** Makes a call as an owner, which must succeed, and returns the reply. */
  async call<T>(...call: Parameters<ReceiverWorld['ask']>): Promise<T> {
    const { status, text } = await this.ask(...call)
    if (status !== 200) throw new Error(`${call[1]} ${call[2]}: ${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** Changes the row of an insight, as some feature would. */
  async change(workspaceId: string, number: number, fields: string): Promise<void> {
    await this.inside(workspaceId, (tx) =>
      sql`update insight set ${sql.raw(fields)} where issue_number = ${number}`.execute(tx),
    )
  }

  async setTeamStatus(workspaceId: string, number: number, team_status: string): Promise<void> {
    await this.call(workspaceId, 'PUT', '/api/insights/team-status', {
      changes: [{ issue_number: number, team_status }],
    })
  }

  /** Sends the deliveries that are due now to every receiver, as the worker's turns do. */
  async deliver(workspaceId: string, services: Services = this.services): Promise<void> {
    const due = await this.inside(workspaceId, (tx) => readDueReceivers(tx, workspaceId, services.now()))
    const { signal } = new AbortController()
    await Promise.all(
      due.map(async (id) => {
        while ((await deliverTo(services, workspaceId, id, signal)).isOver);
      }),
    )
  }

  async receiver(workspaceId: string, id: string): Promise<Receiver> {
    const { receivers } = await this.call<{ receivers: Receiver[] }>(workspaceId, 'GET', '/api/receivers')
    const found = receivers.find((one) => one.id === id)
    if (!found) throw new Error(`there is no receiver ${id}`)
    return found
  }

  /** The deliveries of a receiver, the latest event first. */
  async deliveries(workspaceId: string, id: string): Promise<ReceiverDelivery[]> {
    const path = `/api/receivers/${id}/deliveries`
    return (await this.call<{ deliveries: ReceiverDelivery[] }>(workspaceId, 'GET', path)).deliveries
  }

  /** How many events are stored. */
  async countEvents(workspaceId: string): Promise<number> {
    const { rows } = await this.inside(workspaceId, (tx) =>
      sql<{ count: number }>`select count(*)::int as count from outgoing_event`.execute(tx),
    )
    return rows[0]?.count ?? 0
  }
}

/** The events that a receiver got, with their ids, each verified by the reference library with a secret as if it had just arrived. */
export function verified(server: HttpServer, secret: string): (OutgoingEvent & { id: string })[] {
  try {
    return server.seen.map(({ body, headers }) => {
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000)
      const event = OutgoingEvent.parse(new Webhook(secret).verify(body, headers as Record<string, string>))
      return { ...event, id: String(headers['webhook-id']) }
    })
  } finally {
    vi.useRealTimers()
  }
}

import { OutgoingEvent } from '@groundswell/contract/outgoing-event.ts'
import type { Receiver, ReceiverDelivery } from '@groundswell/contract/receivers.ts'
import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import type { Services } from '../../platform/services.ts'
import { World } from '../insights/testing.ts'
import { deliverTo } from './deliver.ts'
import { readDueReceivers } from './delivery-store.ts'
import { receiverRoutes } from './routes.ts'

/** A receiver that was added, with the server at its address. `replies`: the status of the next requests, 200 without one. */
export type AddedReceiver = { id: string; secret: string; server: TestServer; replies: number[] }

/** A server with receivers of events. Its clock goes on from the present: the database dates events. */
export class ReceiverWorld {
  readonly world: World
  aheadMs = 0
  readonly #servers: TestServer[] = []

  private constructor(world: World) {
    this.world = world
    world.services.now = () => new Date(Date.now() + this.aheadMs)
    world.services.config.allowPrivateAddresses = ['127.0.0.1']
    world.services.config.publicUrl = 'https://feedback.example'
  }

  static async start(): Promise<ReceiverWorld> {
    return new ReceiverWorld(await World.start(receiverRoutes))
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]()
    await this.world.stop()
  }

  /** A workspace with this many insights, as grouping leaves them. */
  async workspace(insights = 1): Promise<string> {
    const id = await this.world.workspace()
    for (let number = 1; number <= insights; number += 1) {
      const said = (n: number) => ({ message: `It fails ${number} ${n}`, text: 'It fails' })
      await this.world.insight(id, number, [said(1), said(2)])
    }
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

  /** Makes a call as an owner, which must succeed, and returns the reply. */
  async call<T>(
    workspaceId: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
  ): Promise<T> {
    const { status, body, text } = await this.world.call(workspaceId, method, path, {}, payload)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
    return body as T
  }

  /** Changes the row of an insight, as some feature would. */
  async change(workspaceId: string, number: number, fields: string): Promise<void> {
    await this.world.inside(workspaceId, (tx) =>
      sql`update insight set ${sql.raw(fields)} where issue_number = ${number}`.execute(tx),
    )
  }

  async setTeamStatus(workspaceId: string, number: number, team_status: string): Promise<void> {
    await this.call(workspaceId, 'PUT', '/api/insights/team-status', { changes: [{ issue_number: number, team_status }] })
  }

  /** Sends what is due now to every receiver, as the worker's turns do. */
  async deliver(workspaceId: string, services: Services = this.world.services): Promise<void> {
    const due = await this.world.inside(workspaceId, (tx) => readDueReceivers(tx, workspaceId, services.now()))
    const { signal } = new AbortController()
    await Promise.all(due.map((id) => deliverTo(services, workspaceId, id, signal)))
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
    const { rows } = await this.world.inside(workspaceId, (tx) =>
      sql<{ count: number }>`select count(*)::int as count from outgoing_event`.execute(tx),
    )
    return rows[0]?.count ?? 0
  }
}

/** The events that a receiver got, each verified by the reference library with a secret, with its id. */
export function verified(server: TestServer, secret: string): (OutgoingEvent & { id: string })[] {
  return server.seen.map(({ body, headers }) => {
    const event = OutgoingEvent.parse(new Webhook(secret).verify(body, headers as Record<string, string>))
    return { ...event, id: String(headers['webhook-id']) }
  })
}

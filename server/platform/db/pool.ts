import pg from 'pg'
import type { Log } from '../log/log.ts'
import { GuardedClient } from './guarded-client.ts'
import type { Limits } from './limits.ts'
import { asLost } from './unavailable.ts'

/** How long a caller waits for a free connection, and for it to be opened. */
const ACQUIRE_MS = 15_000
const END_MS = 1_000
/** A connection in use that receives nothing for that long, after there was reason to doubt it, is given up. */
const DOUBT_MS = 2_000

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/** The connections of a pool: how many it may open, has open, has in use, and how many callers wait for one. */
export type PoolUsage = { name: string; size: number; open: number; busy: number; waiting: number }

/** The size and limits of a pool. */
export type PoolOptions = {
  size: number
  /** How the server lists its connections. */
  name: string
  log: Log
  limits: Limits
  /** Sent on each new connection. */
  settings: string
}

/**
 * A pool that outlives its server: when a connection is lost, idle or in the middle of a transaction, only the statement that was waiting for it
 * fails. One on which nothing arrives for `limits.silence` is given up, and so is one whose server no longer accepts writes.
 */
export class GuardedPool extends pg.Pool {
  readonly #idle = new Set<GuardedClient>()
  /** Each with the number of its use, so that a later use is not taken for the same one. */
  readonly #busy = new Map<GuardedClient, number>()
  #uses = 0
  readonly #name: string

  constructor(url: string, { size, name, log, limits, settings }: PoolOptions) {
    super({
      connectionString: url,
      max: size,
      application_name: name,
      connectionTimeoutMillis: ACQUIRE_MS,
      Client: GuardedClient,
      verify(client, ready) {
        if (isGuarded(client)) client.prepare(settings, limits.silence).then(() => ready(), ready)
      },
    })
    this.#name = name
    this.on('error', (error) => log.debug({ err: error.message }, 'an idle database connection was lost'))
    this.on('connect', (client) => {
      client.on('error', (error) => {
        // A server that stops right after its pool was closed still reports it, on a connection that nothing uses.
        const level = this.ending ? 'debug' : 'warn'
        log[level]({ err: error.message }, 'a database connection was lost')
      })
    })
    this.on('acquire', (client) => this.#acquired(client, limits))
    this.on('release', (_error, client) => this.#released(client))
    this.on('remove', (client) => this.#removed(client))
  }

  /** Fails with an error that `unavailability` knows. */
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (callback) {
      super.connect((error, client, done) => callback(asLost(error), client, done))
      return undefined
    }
    return super.connect().catch((error: unknown) => Promise.reject(asLost(error)))
  }

  get usage(): PoolUsage {
    const { totalCount: open, idleCount, waitingCount: waiting, options } = this
    return { name: this.#name, size: options.max, open, busy: open - idleCount, waiting }
  }

  /** There is reason to doubt all connections: idle ones are closed, and those in use unless something arrives soon. */
  doubt(): void {
    for (const client of this.#idle) client.drop('the network was interrupted')
    const suspects = [...this.#busy].map(([client, use]) => ({ client, use, received: client.received }))
    const judge = () => {
      for (const { client, use, received } of suspects) {
        if (this.#busy.get(client) === use && client.received === received) client.drop('the network was interrupted')
      }
    }
    // After a stall of this process, what has arrived is read before the verdict.
    setTimeout(() => setImmediate(judge), DOUBT_MS).unref()
  }

  /** Closes the pool. Connections that are still in use after a second are cut. */
  async close(): Promise<void> {
    const late = setTimeout(() => {
      for (const client of this.#busy.keys()) client.drop('the process stops')
    }, END_MS)
    await this.end()
    clearTimeout(late)
  }

  #acquired(client: pg.PoolClient, limits: Limits): void {
    if (!isGuarded(client)) return
    client.limitSilence(limits.silence)
    this.#idle.delete(client)
    this.#uses += 1
    this.#busy.set(client, this.#uses)
  }

  #released(client: pg.PoolClient): void {
    if (!isGuarded(client)) return
    client.limitSilence(0)
    this.#busy.delete(client)
    this.#idle.add(client)
    if (client.isOutdated) client.drop('the server accepts no writes')
  }

  #removed(client: pg.PoolClient): void {
    if (!isGuarded(client)) return
    this.#idle.delete(client)
    this.#busy.delete(client)
  }
}

function isGuarded(client: pg.ClientBase): client is GuardedClient & pg.PoolClient {
  return client instanceof GuardedClient
}

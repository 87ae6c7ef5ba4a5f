import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { valueTypes } from './connection.ts'
import { type Limits, sessionSettings } from './limits.ts'
import { asLost } from './unavailable.ts'

const CONNECT_MS = 5_000
/** Then the system probes each second, and closes a dead connection after ten probes. */
const KEEPALIVE_MS = 5_000
/** The server has become a standby, which accepts no writes. */
const READ_ONLY = '25006'

/** What the driver has and its types do not declare. */
type Wire = { connection: EventEmitter & { stream: Socket } }

/** A connection that is given up when the server falls silent. Waiting statements fail; the process is never ended by it. */
export class GuardedClient extends pg.Client {
  #watched = false
  #outdated = false

  constructor(config: pg.ClientConfig = {}) {
    super({
      types: valueTypes,
      ...config,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_MS,
      connectionTimeoutMillis: CONNECT_MS,
    })
    // Without a listener the driver's error event ends the process. Statements fail with the same error.
    this.on('error', asLost)
    this.#wire.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) this.#outdated = true
    })
  }

  /** True once the server has refused to write: another one is the primary, and this connection does not lead to it. */
  get isOutdated(): boolean {
    return this.#outdated
  }

  /** How many bytes have arrived. */
  get received(): number {
    return this.#wire.connection.stream.bytesRead
  }

  /** From now on the connection is given up when nothing was sent or received for that long; 0: it may be silent. */
  limitSilence(milliseconds: number): void {
    const { stream } = this.#wire.connection
    stream.setTimeout(milliseconds)
    if (this.#watched) return
    this.#watched = true
    stream.on('timeout', () => this.drop('the database does not answer'))
  }

  /** Sends the settings of a new connection, which it has five seconds to confirm. From then on it may be silent for that long. */
  async prepare(settings: string, silence: number): Promise<void> {
    this.limitSilence(CONNECT_MS)
    await this.query(settings)
    this.limitSilence(silence)
  }

  /** Closes the connection at once, without a word to the server. */
  drop(reason: string): void {
    this.#wire.connection.stream.destroy(new Error(`Connection terminated: ${reason}`))
  }

  /** Closes the connection, at once where the server does not answer within a second. */
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    const late = setTimeout(() => this.drop('it was closed'), END_MS)
    late.unref()
    this.once('end', () => clearTimeout(late))
    if (callback) {
      super.end(callback)
      return undefined
    }
    return super.end()
  }

  get #wire(): Wire {
    return this as unknown as Wire
  }
}

const END_MS = 1_000

/** Opens one connection to the server itself, with these limits. `name`: how the server lists it. */
export async function openClient(url: string, name: string, limits: Limits): Promise<GuardedClient> {
  const client = new GuardedClient({ connectionString: url, application_name: name })
  try {
    await client.connect()
    await client.prepare(sessionSettings(limits), limits.silence)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

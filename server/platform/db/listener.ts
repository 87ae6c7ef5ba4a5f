import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { type GuardedClient, openClient } from './guarded-client.ts'
import { ORDINARY } from './limits.ts'

/** Stops receiving. */
export type StopListening = () => Promise<void>

/** `onLost`: from now on messages may be missed; `onReconnect`: they are received again. */
export type ListenGaps = { onLost?: () => void; onReconnect?: () => void }

/** How a connection that listens is watched. */
export type ListenerOptions = {
  log: Log
  /** Called when the connection was lost: others to the same server may be dead too. */
  onDoubt?: () => void
  /** How often the connection is verified, and how long its own message may take, in milliseconds. */
  verifyEveryMs?: number
  verifyWithinMs?: number
}

type Subscriber = ListenGaps & { onMessage: (payload: string) => void }

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2_000
const VERIFY_EVERY_MS = 10_000
const VERIFY_WITHIN_MS = 3_000

/**
 * Receives NOTIFY on any number of channels over one connection, which sends itself a message every ten seconds: one that is
 * open but dead, or whose address leads through a pooler, delivers none. A lost connection is opened again, however long it takes.
 */
export class Listener {
  readonly #url: string
  readonly #options: Required<ListenerOptions>
  readonly #channels = new Map<string, Set<Subscriber>>()
  /** Its own channel, which no other process has to hear. */
  readonly #ownChannel = `verify ${randomUUID()}`
  #state: 'new' | 'open' | 'lost' | 'stopped' = 'new'
  #client: GuardedClient | undefined
  #starting: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #heardAt: number | null = null
  #onOwnMessage: (payload: string) => void = () => undefined

  constructor(url: string, options: ListenerOptions) {
    this.#url = url
    this.#options = {
      onDoubt: () => undefined,
      verifyEveryMs: VERIFY_EVERY_MS,
      verifyWithinMs: VERIFY_WITHIN_MS,
      ...options,
    }
  }

  /** False while messages are missed because the connection is lost. */
  get receives(): boolean {
    return this.#state !== 'lost'
  }

  /** Milliseconds since a message to itself last arrived; null before the connection was first opened. */
  get silentMs(): number | null {
    return this.#heardAt === null ? null : performance.now() - this.#heardAt
  }

  /** Opens the connection unless it is open. Throws where it cannot be opened, delivers nothing, or is lost at the moment. */
  async start(): Promise<void> {
    if (this.#state === 'open') return
    if (this.#state !== 'new') throw new Error('no notifications are received at the moment')
    this.#starting ??= this.#open().finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  /** Calls `onMessage` with the payload of every NOTIFY on a channel from the moment the promise resolves. Throws as `start` does. */
  async listen(channel: string, onMessage: (payload: string) => void, gaps: ListenGaps = {}): Promise<StopListening> {
    await this.start()
    const subscriber: Subscriber = { ...gaps, onMessage }
    const subscribers = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, subscribers.add(subscriber))
    const leave = async (): Promise<void> => {
      subscribers.delete(subscriber)
      if (subscribers.size > 0 || this.#channels.get(channel) !== subscribers) return
      this.#channels.delete(channel)
      await this.#client?.query(`unlisten ${quoted(channel)}`).catch(() => undefined)
    }
    try {
      await this.#client?.query(`listen ${quoted(channel)}`)
    } catch (error) {
      await leave()
      throw error
    }
    return leave
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }

  async #open(): Promise<void> {
    const client = await openClient(this.#url, 'groundswell listen', ORDINARY)
    try {
      client.on('notification', (message) => this.#receive(message))
      const channels = [this.#ownChannel, ...this.#channels.keys()]
      await client.query(channels.map((channel) => `listen ${quoted(channel)}`).join('; '))
      if (!(await this.#hearsOthers())) {
        throw new Error(
          'the database delivers no notifications: if DATABASE_URL leads through a pooler, set DATABASE_DIRECT_URL to the address of the server itself',
        )
      }
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#state === 'stopped') return client.end()
    this.#client = client
    this.#state = 'open'
    client.once('end', () => this.#lost(client))
    this.#verifyLater(client)
  }

  #receive({ channel, payload = '' }: pg.Notification): void {
    if (channel === this.#ownChannel) this.#onOwnMessage(payload)
    for (const { onMessage } of this.#channels.get(channel) ?? []) onMessage(payload)
  }

  #verifyLater(client: GuardedClient): void {
    this.#timer = setTimeout(() => {
      void this.#hears(client).then((heard) => {
        if (this.#client !== client) return
        if (heard) this.#verifyLater(client)
        else client.drop('its own notification did not arrive')
      })
    }, this.#options.verifyEveryMs)
    this.#timer.unref()
  }

  /** True when a message of another connection arrives in time. A pooler may deliver those of the same one by chance. */
  async #hearsOthers(): Promise<boolean> {
    const other = await openClient(this.#url, 'groundswell listen', ORDINARY)
    try {
      return await this.#hears(other)
    } finally {
      await other.end().catch(() => undefined)
    }
  }

  /** True when a message that this connection sends arrives in time. */
  async #hears(sender: GuardedClient): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const token = randomUUID()
    this.#onOwnMessage = (payload) => {
      if (payload !== token) return
      this.#heardAt = performance.now()
      resolve(true)
    }
    // After a stall of this process the message may be waiting to be read: it is read before the verdict.
    const late = setTimeout(() => setImmediate(() => resolve(false)), this.#options.verifyWithinMs)
    sender.query('select pg_notify($1, $2)', [this.#ownChannel, token]).catch(() => resolve(false))
    return promise.finally(() => clearTimeout(late))
  }

  #lost(client: GuardedClient): void {
    if (this.#client !== client || this.#state !== 'open') return
    this.#state = 'lost'
    this.#client = undefined
    clearTimeout(this.#timer)
    this.#options.log.warn('the connection that receives notifications was lost: it is opened again')
    for (const { onLost } of this.#subscribers()) onLost?.()
    this.#options.onDoubt()
    this.#reopen(FIRST_PAUSE_MS)
  }

  #reopen(pause: number): void {
    this.#timer = setTimeout(() => {
      this.#open().then(
        () => {
          if (this.#state !== 'open') return
          this.#options.log.info('notifications are received again')
          for (const { onReconnect } of this.#subscribers()) onReconnect?.()
        },
        (error: Error) => {
          this.#options.log.debug({ err: error.message }, 'notifications cannot be received yet')
          if (this.#state === 'lost') this.#reopen(Math.min(MAX_PAUSE_MS, pause * 2))
        },
      )
    }, pause)
  }

  #subscribers(): Subscriber[] {
    return [...this.#channels.values()].flatMap((subscribers) => [...subscribers])
  }
}

function quoted(channel: string): string {
  return pg.escapeIdentifier(channel)
}

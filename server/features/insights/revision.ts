import { notify, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { nextRevision } from '../workspaces/index.ts'

/** Where new revisions are announced when they are committed, as `workspaceId:revision`. */
const REVISION_CHANNEL = 'revision'

/** Workspaces in memory; beyond that the least recently used one is dropped. */
const MAX_WORKSPACES = 10_000

/**
 * Raises the workspace's revision, locks it until the transaction ends, and announces it to every process on commit, to this one
 * before the transaction's caller continues: after a change, its clients never get the earlier list.
 */
export async function raiseRevision(tx: Tx, workspaceId: string): Promise<number> {
  const revision = await nextRevision(tx, workspaceId)
  await notify(tx, REVISION_CHANNEL, `${workspaceId}:${revision}`)
  return revision
}

/**
 * A cache of workspaces' revisions, updated by the database's notifications, so that a poll needs no query. Nothing is cached
 * before listening has begun, and the cache is cleared when the listener is lost.
 */
export class Revisions {
  readonly #db: Services['db']
  readonly #known = new Map<string, number>()
  /** The reads in progress of each workspace, with the latest revision announced since they began. */
  readonly #reads = new Map<string, Set<{ announced: number }>>()
  #listening: Promise<boolean> | undefined
  #epoch = 0
  /** Without a listener nothing is cached: notifications are missed. */
  #disconnected = false

  constructor(db: Services['db']) {
    this.#db = db
  }

  /** The cached revision; undefined if there is none. */
  get(workspaceId: string): number | undefined {
    const revision = this.#known.get(workspaceId)
    if (revision === undefined) return undefined
    this.#known.delete(workspaceId)
    this.#known.set(workspaceId, revision)
    return revision
  }

  /**
   * Reads something together with its revision and caches the revision. Listening begins before the read, so that no change
   * between the two is missed; a later revision that was announced meanwhile is cached instead of the one read.
   */
  async readAndCache<T>(workspaceId: string, read: () => Promise<{ revision: number; value: T }>): Promise<T> {
    const listening = await this.#listen()
    const epoch = this.#epoch
    const reads = this.#reads.get(workspaceId) ?? new Set()
    const current = { announced: 0 }
    this.#reads.set(workspaceId, reads.add(current))
    try {
      const { revision, value } = await read()
      const latest = Math.max(revision, current.announced)
      if (listening && !this.#disconnected && epoch === this.#epoch) this.#note(workspaceId, latest, true)
      return value
    } finally {
      reads.delete(current)
      if (reads.size === 0) this.#reads.delete(workspaceId)
    }
  }

  async #listen(): Promise<boolean> {
    this.#listening ??= this.#db
      .listen(
        REVISION_CHANNEL,
        (payload) => {
          const [workspaceId = '', revision = ''] = payload.split(':')
          this.#onAnnounced(workspaceId, Number(revision))
        },
        { onLost: () => this.#onListenerLost(), onReconnect: () => this.#onReconnected() },
      )
      .then(
        () => true,
        () => {
          this.#listening = undefined
          return false
        },
      )
    return this.#listening
  }

  #onAnnounced(workspaceId: string, revision: number): void {
    for (const read of this.#reads.get(workspaceId) ?? []) read.announced = Math.max(read.announced, revision)
    this.#note(workspaceId, revision, false)
  }

  #note(workspaceId: string, revision: number, begin: boolean): void {
    const known = this.#known.get(workspaceId)
    if (known === undefined ? !begin : known >= revision) return
    this.#known.set(workspaceId, revision)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_WORKSPACES && oldest !== undefined) this.#known.delete(oldest)
  }

  #onListenerLost(): void {
    this.#disconnected = true
    this.#epoch++
    this.#known.clear()
  }

  #onReconnected(): void {
    this.#disconnected = false
    this.#epoch++
    this.#known.clear()
  }
}

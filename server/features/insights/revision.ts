import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { nextRevision } from '../workspaces/index.ts'
import { announceRevision, REVISION_CHANNEL } from './revision-store.ts'

/** Workspaces in memory; beyond that the least recently used one is dropped. */
const MAX_WORKSPACES = 10_000
/** A change that is not announced within this time was rolled back, or the listener is disconnected. */
const ANNOUNCED_WITHIN_MS = 10_000

/** Revisions that this process raised and that the database may not have announced yet. */
const raised = new Map<string, { revision: number; at: number }>()

/**
 * Raises the workspace's revision, locks it until the transaction ends, and notifies every process on commit. This process knows of
 * it immediately: after a change, its own clients never get the earlier list.
 */
export async function raiseRevision(tx: Tx, workspaceId: string): Promise<number> {
  const revision = await nextRevision(tx, workspaceId)
  await announceRevision(tx, workspaceId, revision)
  raised.delete(workspaceId)
  raised.set(workspaceId, { revision, at: performance.now() })
  const [oldest] = raised.keys()
  if (raised.size > MAX_WORKSPACES && oldest !== undefined) raised.delete(oldest)
  return revision
}

/** Whether this process raised a later revision that may already be committed. */
function isOutdated(workspaceId: string, revision: number): boolean {
  const own = raised.get(workspaceId)
  if (!own) return false
  if (own.revision > revision && performance.now() - own.at < ANNOUNCED_WITHIN_MS) return true
  raised.delete(workspaceId)
  return false
}

/**
 * A cache of workspaces' revisions, updated by the database's notifications, so that a poll needs no query. Nothing is cached
 * before listening has begun, and the cache is cleared when the listener is lost.
 */
export class Revisions {
  readonly #db: Services['db']
  readonly #known = new Map<string, number>()
  #listening: Promise<boolean> | undefined
  #epoch = 0
  /** Without a listener nothing is cached: notifications are missed. */
  #disconnected = false

  constructor(db: Services['db']) {
    this.#db = db
  }

  /** The cached revision; undefined if there is none or this process raised a later one. */
  get(workspaceId: string): number | undefined {
    const revision = this.#known.get(workspaceId)
    if (revision === undefined || isOutdated(workspaceId, revision)) return undefined
    this.#known.delete(workspaceId)
    this.#known.set(workspaceId, revision)
    return revision
  }

  /**
   * Reads something together with its revision and caches the revision. Listening begins before the read, so that no change
   * between the two is missed; a revision announced meanwhile is newer than the one read and is kept.
   */
  async readAndCache<T>(workspaceId: string, read: () => Promise<{ revision: number; value: T }>): Promise<T> {
    const listening = await this.#listen()
    const epoch = this.#epoch
    const { revision, value } = await read()
    if (listening && !this.#disconnected && epoch === this.#epoch) this.#note(workspaceId, revision, true)
    return value
  }

  async #listen(): Promise<boolean> {
    this.#listening ??= this.#db
      .listen(
        REVISION_CHANNEL,
        (payload) => {
          const [workspaceId = '', revision = ''] = payload.split(':')
          this.#note(workspaceId, Number(revision), false)
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

import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { incrementRevision, REVISION_CHANNEL } from './revision-store.ts'

/** So many workspaces are remembered; beyond that the one asked for longest ago is read anew. */
const REMEMBERED = 10_000
/** A change that was not announced within this time was taken back, or nobody hears. */
const ANNOUNCED_WITHIN_MS = 10_000

/** What this process raised and the database may not have announced yet. */
const raised = new Map<string, { revision: number; at: number }>()

/**
 * Raises the workspace's revision, locks it until the transaction ends, and tells every process when it commits. This process
 * knows at once: whoever changed something through it is not answered with the list before.
 */
export async function raiseRevision(tx: Tx, workspaceId: string): Promise<number> {
  const revision = await incrementRevision(tx, workspaceId)
  raised.delete(workspaceId)
  raised.set(workspaceId, { revision, at: performance.now() })
  const [oldest] = raised.keys()
  if (raised.size > REMEMBERED && oldest !== undefined) raised.delete(oldest)
  return revision
}

/** Whether this process raised a later revision, which may have been committed. */
function isOvertaken(workspaceId: string, revision: number): boolean {
  const own = raised.get(workspaceId)
  if (!own) return false
  if (own.revision > revision && performance.now() - own.at < ANNOUNCED_WITHIN_MS) return true
  raised.delete(workspaceId)
  return false
}

/**
 * The revisions of workspaces in memory, kept right by what the database announces, so that a poll needs no query.
 * Nothing is remembered before the first listening, and after a gap in it everything is forgotten.
 */
export class Revisions {
  readonly #db: Services['db']
  readonly #known = new Map<string, number>()
  #listening: Promise<boolean> | undefined
  #epoch = 0
  /** While the listener is away nothing is remembered: what changes meanwhile is not heard. */
  #deaf = false

  constructor(db: Services['db']) {
    this.#db = db
  }

  /** The revision if it is remembered and nothing of this process came after it. */
  get(workspaceId: string): number | undefined {
    const revision = this.#known.get(workspaceId)
    if (revision === undefined || isOvertaken(workspaceId, revision)) return undefined
    this.#known.delete(workspaceId)
    this.#known.set(workspaceId, revision)
    return revision
  }

  /**
   * Reads something together with its revision and remembers that. Listening begins before the reading does, so that a
   * change between the two is heard; a revision announced meanwhile is newer than what was read and stays.
   */
  async follow<T>(workspaceId: string, read: () => Promise<{ revision: number; value: T }>): Promise<T> {
    const listening = await this.#listen()
    const epoch = this.#epoch
    const { revision, value } = await read()
    if (listening && !this.#deaf && epoch === this.#epoch) this.#note(workspaceId, revision, true)
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
        { onLost: () => this.#goDeaf(), onReconnect: () => this.#hearAgain() },
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
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
  }

  #goDeaf(): void {
    this.#deaf = true
    this.#epoch++
    this.#known.clear()
  }

  #hearAgain(): void {
    this.#deaf = false
    this.#epoch++
    this.#known.clear()
  }
}

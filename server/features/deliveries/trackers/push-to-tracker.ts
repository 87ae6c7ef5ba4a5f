import type { Context, PushOutcome } from '@groundswell/connectors/connector.ts'
import { ItemGone, isConnectorFailure, Unavailable } from '@groundswell/connectors/kit/errors.ts'
import { watchWrites } from '@groundswell/connectors/kit/http/watch-writes.ts'
import type { RemoteItem, Tracker } from '@groundswell/connectors/tracker.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readInsight } from '../../insights/index.ts'
import type { Claim } from '../record.ts'
import { recordAnswers } from './answer-recorder.ts'
import { confirmCreated, Postponed } from './confirm.ts'
import { readDocument } from './insight-document.ts'
import {
  addItem,
  holdItem,
  lockNewestItem,
  noteTitle,
  type RemoteItemRow,
  releaseItem,
  storeCreateBegan,
  storeCreateRefused,
} from './remote-item-store.ts'
import { recordGone, recordItem } from './remote-status.ts'
import { holdsLease } from './tracker-delivery-store.ts'
import { knownItem, wantsReopening, writeItem } from './write-item.ts'

const GONE = 'The item no longer exists there. Push the insight again to create a new one'
const NOTHING_NEWER = 'Nothing was sent: the item already shows a newer state of the insight'

/**
 * Brings the tracker's item to the state of the insight that is frozen with the delivery, and creates it first where there is none.
 * There is never a second item:
 * - A row with the item's marker is committed before the first request, so that every attempt uses the same marker.
 * - That a request to create begins is committed before it is sent. Unless its outcome was recorded, the next attempt searches for the
 *   marker, and creates only when the search can be trusted to show what was created. That the sign-in was refused is such an outcome:
 *   with a renewed one, the item is created at once.
 * - One delivery at a time works on an item, and the tracker's answer is recorded in its own transaction.
 *
 * Throws `Postponed`, `ItemGone` where only a person's push may create another item, and what the tracker throws.
 */
export async function pushToTracker(
  services: Services,
  workspaceId: string,
  claim: Claim,
  { tracker, context }: { tracker: Tracker; context: Context },
): Promise<PushOutcome> {
  const answers = recordAnswers(context)
  const push = new Push(services, workspaceId, claim, tracker, { ...context, http: answers.http })
  const { item, reopen } = await push.take()
  try {
    const remote = await push.send(item, reopen)
    const notice = remote?.notice ?? null
    return { ...answers.outcome(remote ? null : NOTHING_NEWER), remote: remote ?? knownItem(item), notice }
  } catch (error) {
    await push.settleFailure(item, error)
    throw error
  }
}

/** One delivery's work on one item. */
class Push {
  readonly #services: Services
  readonly #workspaceId: string
  readonly #claim: Claim
  readonly #tracker: Tracker
  readonly #context: Context

  constructor(services: Services, workspaceId: string, claim: Claim, tracker: Tracker, context: Context) {
    this.#services = services
    this.#workspaceId = workspaceId
    this.#claim = claim
    this.#tracker = tracker
    this.#context = context
  }

  /** Commits the item's row, held by this delivery until its lease ends. */
  take(): Promise<{ item: RemoteItemRow; reopen: boolean }> {
    const { delivery, connection, leaseUntil } = this.#claim
    return this.#inOwn(async (tx) => {
      await this.#verifyLease(tx)
      const key = [tx, this.#workspaceId, connection.id, delivery.issueNumber] as const
      let item = await lockNewestItem(...key)
      if (!item) {
        await addItem(...key, this.#services.now())
        item = await lockNewestItem(...key)
      }
      if (!item || item.state === 'gone') throw new ItemGone(GONE)
      const busy = item.heldBy !== null && item.heldBy !== delivery.id && item.heldUntil !== null
      if (busy && item.heldUntil && item.heldUntil > this.#services.now()) throw new Postponed(item.heldUntil)
      await holdItem(tx, this.#workspaceId, item.marker, { by: delivery.id, until: leaseUntil })
      const { title } = readDocument(delivery.payload, item.marker)
      const titles = await noteTitle(tx, this.#workspaceId, item.marker, title)
      const insight = await readInsight(tx, this.#workspaceId, delivery.issueNumber)
      return { item: { ...item, titles }, reopen: wantsReopening(connection, item, insight) }
    })
  }

  /** Returns the item; null when it already shows a newer state. */
  async send(item: RemoteItemRow, reopen: boolean): Promise<RemoteItem | null> {
    if (item.state !== 'creating') return this.#update(item, knownItem(item), reopen)
    const lost = item.beganAt === null ? null : await this.#findLost(item, item.beganAt)
    if (!lost) return this.#create(item)
    return item.sentVersion === this.#version ? lost : this.#update(item, lost, false)
  }

  async settleFailure(item: RemoteItemRow, error: unknown): Promise<void> {
    await this.#inOwn(async (tx) => {
      await releaseItem(tx, this.#workspaceId, item.marker, this.#claim.delivery.id)
      if (error instanceof ItemGone) await recordGone(this.#services, tx, this.#workspaceId, item)
    })
  }

  /** What a request of unknown outcome created, which is recorded; null: nothing. */
  async #findLost(item: RemoteItemRow, beganAt: Date): Promise<RemoteItem | null> {
    const { marker } = item
    const found = await confirmCreated(this.#tracker, this.#context, { marker, beganAt, now: this.#services.now })
    if (found) await this.#record(item, found, null)
    return found
  }

  async #create(item: RemoteItemRow): Promise<RemoteItem> {
    const began = { by: this.#claim.delivery.id, version: this.#version, at: this.#services.now() }
    await this.#inOwn(async (tx) => {
      await this.#verifyLease(tx)
      if (!(await storeCreateBegan(tx, this.#workspaceId, item.marker, began))) throw takenOver()
    })
    const { payload } = this.#claim.delivery
    const write = { marker: item.marker, payload, known: null, reopen: false, titles: item.titles }
    const watched = watchWrites(this.#context.http)
    try {
      const created = await writeItem(this.#tracker, { ...this.#context, http: watched.http }, write)
      await this.#record(item, created, this.#version)
      return created
    } catch (error) {
      if (isConnectorFailure(error) && error.kind === 'auth' && watched.nothingWritten()) {
        await this.#inOwn((tx) => storeCreateRefused(tx, this.#workspaceId, item, began))
      }
      throw error
    }
  }

  async #update(item: RemoteItemRow, known: RemoteItem, reopen: boolean): Promise<RemoteItem | null> {
    if (item.sentVersion !== null && item.sentVersion > this.#version) {
      await this.#inOwn((tx) => releaseItem(tx, this.#workspaceId, item.marker, this.#claim.delivery.id))
      return null
    }
    const { payload } = this.#claim.delivery
    const { marker, titles } = item
    const updated = await writeItem(this.#tracker, this.#context, { marker, payload, known, reopen, titles })
    await this.#record(item, updated, this.#version)
    return updated
  }

  async #record(item: RemoteItemRow, remote: RemoteItem, version: number | null): Promise<void> {
    await this.#inOwn(async (tx) => {
      await recordItem(this.#services, tx, this.#workspaceId, item, { remote, version })
      await releaseItem(tx, this.#workspaceId, item.marker, this.#claim.delivery.id)
    })
  }

  /** When the insight was frozen: later states are newer. */
  get #version(): number {
    return this.#claim.delivery.frozenAt?.getTime() ?? 0
  }

  async #verifyLease(tx: Tx): Promise<void> {
    const { delivery, attempt } = this.#claim
    if (!(await holdsLease(tx, this.#workspaceId, delivery.id, attempt, this.#services.now()))) throw takenOver()
  }

  #inOwn<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return inWorkspace(this.#services.db, this.#workspaceId, work)
  }
}

const takenOver = () => new Unavailable('This attempt took too long, and another one took over')

import type { Context } from '@groundswell/connectors/connector.ts'
import type { RemoteItem, Tracker } from '@groundswell/connectors/tracker.ts'

/** The delivery has to wait until then; the attempt is not a failure and is not counted. */
export class Postponed extends Error {
  override name = 'Postponed'
  readonly until: Date

  constructor(until: Date) {
    super('It is not known yet whether the last attempt created an item')
    this.until = until
  }
}

/** For how long a provider may still be processing a request whose connection has ended. */
const SETTLE_SECONDS = 30

/**
 * The item with this marker, which a request of unknown outcome may have created at `beganAt`; null: it created none. Throws `Postponed`
 * where the search finds none and cannot be trusted yet, and what the tracker throws.
 */
export async function confirmCreated(
  tracker: Tracker,
  context: Context,
  { marker, beganAt, now }: { marker: string; beganAt: Date; now: () => Date },
): Promise<RemoteItem | null> {
  const found = await tracker.find(context, marker)
  if (found) return found
  const seconds = Math.max(tracker.findLagSeconds, SETTLE_SECONDS)
  const trustedFrom = new Date(beganAt.getTime() + seconds * 1000)
  if (now() < trustedFrom) throw new Postponed(trustedFrom)
  return null
}

import type { Context, PushOutcome } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { inPart } from '../../platform/traces/spans.ts'
import { type Connection, callProvider, connectionById } from '../connections/index.ts'
import { readThreshold } from './ask.ts'
import { buildContent } from './content.ts'
import { type Claim, recordFailure, recordPostponed, recordSuccess } from './record.ts'
import { readPayload, type SendEvent, sendByConnector } from './send-event.ts'
import { sendDue } from './send-job.ts'
import { beginAttempt, type DeliveryRow, lockDeliveriesOf, readDelivery, removeUnsent, storeAttempt } from './store.ts'
import { takeBack } from './taken-back-store.ts'
import { Postponed } from './trackers/confirm.ts'
import { pushToTracker } from './trackers/push-to-tracker.ts'

/** How long an attempt belongs to its worker; the call itself ends well before, so that it never outlives the lease. */
const LEASE_MS = 60_000
const CALL_MS = 40_000
const UNKNOWN_OUTCOME = 'The worker stopped before the outcome was recorded. It is sent again with the same id'

/**
 * Makes one attempt at a delivery, if it is due. The attempt is committed before the call, and its outcome after it:
 * a crash between the two leads to another attempt with the same event id and the same bytes. Throws when the delivery has
 * failed permanently, so that it is listed among the dead jobs.
 */
export async function deliver(
  services: Services,
  data: { workspaceId: string; deliveryId: string; attempts: number },
  signal: AbortSignal,
  send: SendEvent = sendByConnector,
): Promise<void> {
  const claim = await inWorkspace(services.db, data.workspaceId, (tx) => take(tx, services, data))
  if (!claim) return
  const context = { signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]) }
  let outcome: PushOutcome
  try {
    const tracker = connectorById(claim.connection.connector)?.tracker
    const push = (full: Context, connection: Connection) => {
      claim.connection = connection
      return tracker
        ? pushToTracker(services, data.workspaceId, claim, { tracker, context: full })
        : send(connection, claim.delivery.eventId, readPayload(claim.delivery.payload), full)
    }
    const facts = { 'groundswell.connector': claim.connection.connector, 'groundswell.attempt': claim.attempt }
    outcome = await inPart({ name: 'attempt delivery', facts }, () =>
      callProvider(services, claim.connection, push, context.signal),
    )
  } catch (error) {
    if (error instanceof Postponed) await recordPostponed(services, data.workspaceId, claim, error.until)
    else await recordFailure(services, data.workspaceId, claim, error)
    return
  }
  await recordSuccess(services, data.workspaceId, claim, outcome)
}

async function take(
  tx: Tx,
  services: Services,
  { workspaceId, deliveryId, attempts }: { workspaceId: string; deliveryId: string; attempts: number },
): Promise<Claim | null> {
  const now = services.now()
  const delivery = await readDelivery(tx, workspaceId, deliveryId, { lock: true })
  if (!delivery?.open) return null
  const wait = waitOf(delivery, attempts, now)
  if (wait === null) return null
  if (wait > 0) {
    const seconds = Math.ceil(wait / 1000)
    await sendDue(services, workspaceId, [{ id: deliveryId, attempts: delivery.attempts, seconds }], tx)
    return null
  }
  const connection = await connectionById(tx, workspaceId, delivery.connectionId)
  if (!connection) return null
  const frozen = delivery.payload === null ? await freeze(tx, services, workspaceId, delivery) : delivery
  if (!frozen?.payload) return null
  if (delivery.state === 'sending') {
    const lost = {
      number: delivery.attempts,
      at: now,
      durationMs: 0,
      status: null,
      error: UNKNOWN_OUTCOME,
      answer: null,
    }
    await storeAttempt(tx, workspaceId, deliveryId, lost, { unlessKnown: true })
  }
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  await beginAttempt(tx, workspaceId, frozen, leaseUntil)
  return {
    delivery: { ...frozen, payload: frozen.payload },
    attempt: delivery.attempts + 1,
    connection,
    beganAt: now,
    leaseUntil,
  }
}

/**
 * Milliseconds until a delivery may be attempted, 0 for now, null for never. A failed one is attempted only by the job whose attempt
 * was its last: an admin runs the dead job again.
 */
function waitOf(delivery: DeliveryRow, attempts: number, now: Date): number | null {
  switch (delivery.state) {
    case 'delivered':
      return null
    case 'failed':
      return delivery.attempts === attempts + 1 ? 0 : null
    case 'waiting':
      if (delivery.waitsFor === 'held') return null
      return Math.max(0, (delivery.nextAttemptAt?.getTime() ?? 0) - now.getTime())
    case 'sending':
      return Math.max(0, (delivery.leaseUntil?.getTime() ?? 0) - now.getTime())
  }
}

/**
 * Builds the text that every attempt will send. A push that nobody asked for is taken back if its insight no longer reaches the threshold. An insight
 * that is no longer shown needs no event and its delivery is removed, except when its messages were deleted after a destination got them: then the
 * event reports it as withdrawn.
 */
async function freeze(
  tx: Tx,
  services: Services,
  workspaceId: string,
  delivery: DeliveryRow,
): Promise<DeliveryRow | null> {
  if (await takeBack(tx, workspaceId, await readThreshold(tx, workspaceId), delivery.id)) return null
  const before = await lockDeliveriesOf(tx, workspaceId, delivery.connectionId, delivery.issueNumber)
  const content = await buildContent(tx, services, workspaceId, delivery, before)
  if (!content) {
    await removeUnsent(tx, workspaceId, delivery.id)
    return null
  }
  const { payload, insight, at } = content
  return { ...delivery, payload, heard: insight.heard, lost: insight.lost, frozenAt: at }
}

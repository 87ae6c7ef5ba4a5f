import type { HeldAnswer, HeldOffer } from '@groundswell/contract/deliveries.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { type Connection, liveConnections } from '../../connections/index.ts'
import { readThreshold, sendAllDue, takesAutomatically } from '../ask.ts'
import { takeBack } from '../taken-back-store.ts'
import { countOffered, declineOffered, hold, lockHolding, releaseOffered } from './held-store.ts'

/** How many insights the choice "largest" pushes. */
const MAX_SIZE = 10

/**
 * Holds what already qualifies, in the transaction of the change that made it qualify: one destination was connected or
 * switched on (`connectionId`), or the threshold was changed, which concerns all of them. What qualifies later is pushed. What was due, and
 * no longer qualifies, is taken back.
 */
export function holdQualified(
  services: Services,
): (tx: Tx, workspaceId: string, connectionId?: string) => Promise<void> {
  return async (tx, workspaceId, connectionId) => {
    await lockHolding(tx, workspaceId)
    const destinations = await liveConnections(tx, workspaceId, 'destination')
    const concerned = destinations.filter(
      (one) => takesAutomatically(one) && (connectionId === undefined || one.id === connectionId),
    )
    const threshold = await readThreshold(tx, workspaceId)
    if (connectionId === undefined) await takeBack(tx, workspaceId, threshold)
    const offerAgain = connectionId !== undefined
    for (const { id } of concerned) await hold(tx, workspaceId, id, { threshold, now: services.now(), offerAgain })
  }
}

/** The destinations with held insights among which no one has chosen yet. */
export async function readOffers(tx: Tx, workspaceId: string): Promise<HeldOffer[]> {
  const destinations = await offeredTo(tx, workspaceId)
  const threshold = await readThreshold(tx, workspaceId)
  const ids = destinations.map(({ id }) => id)
  const counts = new Map(
    (await countOffered(tx, workspaceId, ids, threshold)).map((one) => [one.connectionId, one.count]),
  )
  return destinations.flatMap(({ id, connector }) => {
    const count = counts.get(id) ?? 0
    return count > 0 ? [{ destination: connector, count }] : []
  })
}

/** Pushes what was chosen of the held insights; the others stay held and are not offered again. */
export async function answerOffer(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { push, destination }: HeldAnswer,
): Promise<{ pushed: number; left: number }> {
  await lockHolding(tx, workspaceId)
  const all = await offeredTo(tx, workspaceId)
  const chosen = destination === undefined ? all : all.filter(({ connector }) => connector === destination)
  if (chosen.length === 0) throw new ContractError('not_configured', 'This destination is not connected')
  const threshold = await readThreshold(tx, workspaceId)
  const now = services.now()
  const limit = push === 'all' ? null : push === 'largest' ? MAX_SIZE : 0
  const sum = { pushed: 0, left: 0 }
  for (const { id } of chosen) {
    sum.pushed += await releaseOffered(tx, workspaceId, id, { threshold, limit, now })
    sum.left += await declineOffered(tx, workspaceId, id, now)
  }
  if (sum.pushed > 0) await sendAllDue(services, tx, workspaceId)
  return sum
}

async function offeredTo(tx: Tx, workspaceId: string): Promise<Connection[]> {
  const destinations = await liveConnections(tx, workspaceId, 'destination')
  return destinations.filter(takesAutomatically)
}

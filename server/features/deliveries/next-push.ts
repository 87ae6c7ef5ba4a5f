import type { DeliveryEvent, DeliveryRow } from './store.ts'

/**
 * What a push by a person sends to a destination, given all deliveries of the insight to it: one that waits, is being sent or has failed
 * for good as the first one, or a new event.
 */
export function nextPush(before: readonly DeliveryRow[]): { delivery: DeliveryRow } | { event: DeliveryEvent } {
  const busy = before.find(({ state }) => state === 'waiting' || state === 'sending')
  if (busy) return { delivery: busy }
  const created = before.find(({ event }) => event === 'insight.created')
  if (created?.state === 'failed') return { delivery: created }
  return { event: created ? 'insight.updated' : 'insight.created' }
}

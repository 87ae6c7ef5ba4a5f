import type { ReceiverDelivery } from '@groundswell/contract/receivers.ts'

const POLL_MS = 1_500
/** While the next attempt of a delivery is seconds, minutes or hours away. */
const SLOW_POLL_MS = 5_000

type Waiting = Pick<ReceiverDelivery, 'state' | 'due_at'>

/** An attempt is under way or about to be made. `now`: in milliseconds. */
export function isOnItsWay({ state, due_at }: Waiting, now = Date.now()): boolean {
  return state === 'sending' || (state === 'waiting' && due_at !== null && Date.parse(due_at) <= now + POLL_MS)
}

/** After how many milliseconds these deliveries may look different; false: they are all over. */
export function pollDeliveries(deliveries: readonly Waiting[], now = Date.now()): number | false {
  if (deliveries.some((one) => isOnItsWay(one, now))) return POLL_MS
  return deliveries.some(({ state }) => state === 'waiting') ? SLOW_POLL_MS : false
}

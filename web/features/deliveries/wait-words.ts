import type { Delivery, WaitReason } from '@groundswell/contract/deliveries.ts'
import { formatMoment } from '../../ui/text/moment.ts'

const reasons: Record<WaitReason, (destination: string) => string> = {
  due: () => 'It will be sent in a moment.',
  retry: () => 'The last attempt failed.',
  'retry-after': (destination) => `${destination} asked to wait.`,
  'rate-limited': (destination) => `${destination} is limiting requests.`,
  hourly: () => 'At most one update an hour is sent.',
  'signed-out': (destination) => `The connection to ${destination} was lost. This is sent once it is reconnected.`,
  paused: (destination) => `${destination} is paused. This is sent once it is resumed.`,
  held: () => 'Held: it already qualified, so it was not pushed automatically. It stays held until you push it.',
  confirming: (destination) =>
    `Checking whether ${destination} already has the item, so that there is never a second one.`,
}

/**
 * Why a delivery to `destination`, a label, waits and when it is attempted next; null when it does not wait, or the server gives no
 * reason. Of one that was delivered already, what becomes of sending it again.
 */
export function waitText(delivery: Delivery, destination: string): string | null {
  const { state, again, waits_for, next_attempt_at } = delivery
  if (again === 'sending') return 'It is being sent again.'
  if (again === 'failed') return 'It was delivered. Sending it again failed.'
  if (state !== 'waiting' && again !== 'waiting') return null
  const next = next_attempt_at && waits_for !== 'due' ? `Next attempt ${formatMoment(next_attempt_at)}.` : ''
  const reason = waits_for ? reasons[waits_for](destination) : ''
  return `${again ? 'It was delivered, and is sent again. ' : ''}${reason} ${next}`.trim() || null
}

/** Whether a delivery is still to be sent, for the first time or again. */
export const isUnderWay = ({ state, again }: Delivery): boolean =>
  state === 'waiting' || state === 'sending' || again === 'waiting' || again === 'sending'

/** Why the last attempt failed; null where it did not. */
export const failureText = ({ state, again, last_error }: Delivery): string | null =>
  state !== 'delivered' || again ? last_error : null

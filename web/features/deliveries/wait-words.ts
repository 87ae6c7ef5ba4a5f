import type { Delivery, WaitReason } from '@groundswell/contract/deliveries.ts'
import { formatMoment } from '../../ui/moment.ts'

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
 * reason.
 */
export function waitText(delivery: Delivery, destination: string): string | null {
  const { state, waits_for, next_attempt_at } = delivery
  if (state !== 'waiting') return null
  const next = next_attempt_at && waits_for !== 'due' ? `Next attempt ${formatMoment(next_attempt_at)}.` : ''
  const reason = waits_for ? reasons[waits_for](destination) : ''
  return `${reason} ${next}`.trim() || null
}

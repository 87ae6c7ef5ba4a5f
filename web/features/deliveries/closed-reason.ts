import type { RemoteItemView } from '@groundswell/contract/deliveries.ts'

/** Why a tracker's item of an insight was closed without being done; null for any other item. `tracker`: the tracker's name. */
export function closedReasonText(
  { state, state_name: reason, declined }: RemoteItemView,
  tracker: string,
): string | null {
  if (state !== 'closed' || !declined) return null
  return reason ? `Closed in ${tracker}: ${reason}` : `Closed in ${tracker} without being done`
}

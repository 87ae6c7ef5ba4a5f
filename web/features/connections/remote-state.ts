import type { RemoteItemView } from '@groundswell/contract/deliveries.ts'

const labels: Record<RemoteItemView['state'], string> = { open: 'Open', closed: 'Closed', gone: 'Gone' }

/** The state of a tracker's item, with the tracker's own word for it where that says more. */
export function remoteStateText({ state, state_name: name }: RemoteItemView): string {
  const label = labels[state]
  return !name || state === 'gone' || name.toLowerCase() === label.toLowerCase() ? label : `${label}: ${name}`
}

/** How many items a tracker has, such as “4 open, 2 closed”. States without items are left out. */
export function remoteCountsText(counts: Record<RemoteItemView['state'], number>): string {
  const states = ['open', 'closed', 'gone'] as const
  return states
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state].toLocaleString('en')} ${state}`)
    .join(', ')
}

import type { Delivery } from '@groundswell/contract/deliveries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const looks: Record<Delivery['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'warn' },
  sending: { label: 'Sending', tone: 'accent' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
}

/** The state of a push as a badge. */
export function StateBadge({ state }: { state: Delivery['state'] }) {
  return <Badge tone={looks[state].tone}>{looks[state].label}</Badge>
}

/** The label of a state. */
export function stateText(state: Delivery['state']): string {
  return looks[state].label
}

/** The label of an event. */
export function eventText(event: Delivery['event']): string {
  return event === 'insight.created' ? 'New insight' : 'Update'
}

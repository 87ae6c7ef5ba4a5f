import type { RemoteItemView } from '@groundswell/contract/deliveries.ts'
import { ExternalLink } from 'lucide-react'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { remoteStateText } from './remote-state.ts'

const tones: Record<RemoteItemView['state'], Tone> = { open: 'accent', closed: 'good', gone: 'bad' }

/** A tracker's item: what people call it there, as a link, and its state. One that is gone has no page to link to. */
export function RemoteItem({ item }: { item: RemoteItemView }) {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-2">
      <OutsideLink
        address={item.state === 'gone' ? null : item.url}
        className="inline-flex min-w-0 items-center gap-1 rounded-small break-all text-accent hover:underline"
        otherwise={<span className="break-all">{item.label}</span>}
      >
        {item.label}
        <ExternalLink size={12} aria-hidden className="shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </OutsideLink>
      <Badge tone={tones[item.state]}>{remoteStateText(item)}</Badge>
    </span>
  )
}

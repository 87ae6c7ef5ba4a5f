import type { EmergingInsight } from '@groundswell/contract/insights/emerging.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { saidText } from '../../../ui/text/moment.ts'
import { countsText } from '../mention-words.ts'
import { EvidenceItem } from '../panel/evidence-item.tsx'

type EmergingItemProps = { emerging: EmergingInsight; onKeep: () => void; onDismiss: () => void }

/** One emerging insight: its name and counts, its newest mentions on demand, and what can be done with it. */
export function EmergingItem({ emerging, onKeep, onDismiss }: EmergingItemProps) {
  const [open, setOpen] = useState(false)
  const { name, mention_count, people_count, evidence } = emerging
  const newest = evidence[0]
  return (
    <div className="py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="min-w-0 flex-1 basis-60 rounded-small text-left hover:underline"
        >
          <span dir="auto" className="block truncate font-medium">
            {name}
          </span>
          <span className="block text-small text-muted tabular-nums">
            {countsText(mention_count, people_count)}
            {newest && newest.date_known !== false ? `, last ${saidText(newest)}` : ''}
          </span>
        </button>
        <span data-edits className="flex gap-2">
          <Button aria-keyshortcuts="a" aria-label={`Keep “${name}” as an insight`} onClick={onKeep}>
            Keep
          </Button>
          <Button aria-keyshortcuts="x" aria-label={`Dismiss “${name}”`} onClick={onDismiss}>
            Dismiss
          </Button>
        </span>
      </div>
      {open ? (
        <ol className="mt-1 border-l-2 border-line pl-3">
          {evidence.map((mention, index) => (
            <EvidenceItem key={mention.id ?? index} mention={mention} />
          ))}
        </ol>
      ) : null}
    </div>
  )
}

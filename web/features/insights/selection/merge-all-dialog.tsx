import { mentionCount } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { mentionsText } from '../mention-words.ts'

type MergeAllDialogProps = {
  insights: readonly Insight[]
  onClose: () => void
  onMerge: (into: Insight) => void
}

/** Asks which insight the others are merged into: the largest unless another is chosen. */
export function MergeAllDialog({ insights, onClose, onMerge }: MergeAllDialogProps) {
  const id = useId()
  const [listed] = useState(() => [...insights].sort((a, b) => mentionCount(b) - mentionCount(a)))
  const [into, setInto] = useState(listed[0])
  const together = listed.reduce((sum, one) => sum + mentionCount(one), 0)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Merge ${listed.length} insights into`}
      description={`It keeps its name and will have ${mentionsText(together)}.`}
    >
      <ul className="-mx-2">
        {listed.map((one) => (
          <li key={one.issue_number}>
            <label
              htmlFor={`${id}-${one.issue_number}`}
              className="flex min-h-8 items-center gap-2.5 rounded-small px-2 py-1 hover:bg-hover"
            >
              <input
                id={`${id}-${one.issue_number}`}
                type="radio"
                name={id}
                checked={one === into}
                onChange={() => setInto(one)}
                className="size-3.5 shrink-0 accent-(--accent)"
              />
              <span dir="auto" className="min-w-0 break-words">
                {one.issue_name}{' '}
                <span className="text-small text-muted">
                  #{one.issue_number} · {mentionsText(mentionCount(one))}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={() => into && onMerge(into)}>
          Merge
        </Button>
      </div>
    </Dialog>
  )
}

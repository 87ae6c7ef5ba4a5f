import type { MergeSuggestion } from '@groundswell/contract/insights/suggestions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import * as corrections from '../corrections/correction-actions.ts'
import { countsText, mentionsText } from '../mention-words.ts'
import { EvidenceItem } from '../panel/evidence-item.tsx'

type MergeDialogProps = {
  group: MergeSuggestion
  onClose: () => void
  /** Called when the merge is sent, and `onFailed` if it could not be carried out. */
  onMerged: () => void
  onFailed: () => void
  onDecline: () => void
}

/** Shows the insights with their newest mentions, and merges them into the one that is chosen: the largest at first. */
export function MergeDialog({ group: { insights }, onClose, onMerged, onFailed, onDecline }: MergeDialogProps) {
  const client = useQueryClient()
  const group = useId()
  const [target, setTarget] = useState(insights[0]?.issue_number)
  if (target === undefined) return null
  const merge = async () => {
    onClose()
    onMerged()
    for (const { issue_number } of insights) {
      if (issue_number === target) continue
      const made = await corrections.correct(client, issue_number, { kind: 'merge', into: target })
      if (made === null) return onFailed()
    }
  }
  const together = insights.reduce((sum, one) => sum + one.mention_count, 0)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Merge these insights?"
      description={`#${target} keeps its number and name and will have ${mentionsText(together)}. Each merge can be undone.`}
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              onClose()
              onDecline()
            }}
          >
            Different subjects
          </Button>
          <Button look="primary" data-begins onClick={() => void merge()}>
            Merge into #{target}
          </Button>
        </div>
      }
    >
      <fieldset className="flex flex-col gap-4">
        <legend className="sr-only">Which insight to keep</legend>
        {insights.map(({ issue_number, name, mention_count, people_count, evidence }) => (
          <section key={issue_number} aria-label={name}>
            <label htmlFor={`${group}-${issue_number}`} className="flex items-baseline gap-2">
              <input
                id={`${group}-${issue_number}`}
                type="radio"
                name={group}
                checked={issue_number === target}
                onChange={() => setTarget(issue_number)}
                className="size-3.5 shrink-0 translate-y-0.5 accent-(--accent)"
              />
              <span className="min-w-0">
                <span dir="auto" className="font-semibold break-words">
                  {name}
                </span>{' '}
                <span className="text-muted">#{issue_number}</span>
                <span className="block text-small text-muted tabular-nums">
                  {countsText(mention_count, people_count)}
                </span>
              </span>
            </label>
            <ol>
              {evidence.map((mention, index) => (
                <EvidenceItem key={mention.id ?? index} mention={mention} />
              ))}
            </ol>
          </section>
        ))}
      </fieldset>
    </Dialog>
  )
}

import type { MergeSuggestion } from '@groundswell/contract/suggestions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
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

/** Shows the insights with their newest mentions, and merges them into the largest. */
export function MergeDialog({ group: { insights }, onClose, onMerged, onFailed, onDecline }: MergeDialogProps) {
  const client = useQueryClient()
  const [largest, ...others] = insights
  if (!largest) return null
  const merge = async () => {
    onClose()
    onMerged()
    for (const { issue_number } of others) {
      const made = await corrections.correct(client, issue_number, { kind: 'merge', into: largest.issue_number })
      if (made === null) return onFailed()
    }
  }
  const together = insights.reduce((sum, one) => sum + one.mention_count, 0)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Merge these insights?"
      description={`#${largest.issue_number} keeps its name and will have ${mentionsText(together)}. Each merge can be undone.`}
    >
      <div data-modal className="flex flex-col gap-4">
        {insights.map(({ issue_number, name, mention_count, people_count, evidence }) => (
          <section key={issue_number} aria-label={name}>
            <h3 dir="auto" className="font-semibold break-words">
              {name} <span className="font-normal text-muted">#{issue_number}</span>
            </h3>
            <p className="text-small text-muted tabular-nums">{countsText(mention_count, people_count)}</p>
            <ol>
              {evidence.map((mention, index) => (
                <EvidenceItem key={mention.id ?? index} mention={mention} />
              ))}
            </ol>
          </section>
        ))}
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
            Merge into #{largest.issue_number}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

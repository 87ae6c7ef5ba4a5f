import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { InsightChooser } from './insight-chooser.tsx'
import { PreviewStep } from './preview-step.tsx'
import type { Correcting } from './use-correcting.ts'

type TargetDialogProps = { insight: Insight; insights: readonly Insight[]; correcting: Correcting }

/** Asks which other insight all of this one, or one of its mentions, belongs to; shows what that changes; does it. */
export function TargetDialog({ insight, insights, correcting: { draft, setDraft, correct } }: TargetDialogProps) {
  const here = insight.issue_number
  const [others] = useState(() => insights.filter((one) => one.issue_number !== here))
  const [body, setBody] = useState<CorrectionRequest | null>(null)
  if (draft?.what !== 'merge' && draft?.what !== 'move') return null
  const moved = draft.what === 'move' ? draft.mention : null
  return (
    <Dialog
      open
      onOpenChange={(open) => open || setDraft(null)}
      title={moved ? 'Move to' : 'Merge into'}
      description={moved ? `“${moved.text}”` : insight.issue_name}
    >
      <div data-modal>
        {body === null ? (
          <InsightChooser
            label={moved ? 'Move to' : 'Merge into'}
            insights={others}
            about={moved ? `${insight.issue_name} ${moved.text}` : insight.issue_name}
            onChoose={({ issue_number }) =>
              setBody(
                moved
                  ? { kind: 'move', mentions: [moved.id], to: issue_number }
                  : { kind: 'merge', into: issue_number },
              )
            }
          />
        ) : (
          <PreviewStep
            here={here}
            body={body}
            action={moved ? 'Move' : 'Merge'}
            onBack={() => setBody(null)}
            onDo={() => {
              setDraft(null)
              void correct(body)
            }}
          />
        )}
      </div>
    </Dialog>
  )
}

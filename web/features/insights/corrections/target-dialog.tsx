import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { mentionsInWords } from '../mention-words.ts'
import { InsightChooser } from './insight-chooser.tsx'
import { PreviewStep } from './preview-step.tsx'
import type { NamedMention } from './use-picking.ts'

/** So many of the mentions in question are enough to find the insights that are like them. */
const LOOKED_AT = 10

type TargetDialogProps = {
  insight: Insight
  insights: readonly Insight[]
  /** The mentions to move; null when all of the insight is to go. */
  moved: readonly NamedMention[] | null
  onClose: () => void
  onDo: (body: CorrectionRequest) => void
}

/** Asks which other insight all of this one, or some of its mentions, belong to; shows what that changes; has it done. */
export function TargetDialog({ insight, insights, moved, onClose, onDo }: TargetDialogProps) {
  const here = insight.issue_number
  const [others] = useState(() => insights.filter((one) => one.issue_number !== here))
  const [body, setBody] = useState<CorrectionRequest | null>(null)
  const label = moved ? 'Move to' : 'Merge into'
  const texts = (moved ?? []).slice(0, LOOKED_AT).map((one) => one.text)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={label}
      description={
        moved === null
          ? insight.issue_name
          : moved.length === 1
            ? `“${texts[0]}”`
            : `${mentionsInWords(moved.length)} of #${here}`
      }
    >
      <div data-modal>
        {body === null ? (
          <InsightChooser
            label={label}
            insights={others}
            about={[insight.issue_name, ...texts].join(' ')}
            onChoose={({ issue_number }) =>
              setBody(
                moved
                  ? { kind: 'move', mentions: moved.map((one) => one.id), to: issue_number }
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
            onDo={() => onDo(body)}
          />
        )}
      </div>
    </Dialog>
  )
}

import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { mentionsText } from '../mention-words.ts'
import { ChoiceDialog } from './choice-dialog.tsx'
import type { NamedMention } from './use-picking.ts'

/** This many of the mentions are enough to find similar insights. */
const LOOKED_AT = 10

type TargetDialogProps = {
  insight: Insight
  insights: readonly Insight[]
  /** The mentions to move; null for the whole insight. */
  moved: readonly NamedMention[] | null
  onClose: () => void
  onDo: (body: CorrectionRequest) => void
}

/** Asks to which other insight this one, or some of its mentions, belongs; shows what that changes; applies it. */
export function TargetDialog({ insight, insights, moved, onClose, onDo }: TargetDialogProps) {
  const here = insight.issue_number
  const texts = (moved ?? []).slice(0, LOOKED_AT).map((one) => one.text)
  return (
    <ChoiceDialog
      title={moved ? 'Move to' : 'Merge into'}
      description={
        moved === null
          ? insight.issue_name
          : moved.length === 1
            ? `“${texts[0]}”`
            : `${mentionsText(moved.length)} of #${here}`
      }
      insights={insights.filter((one) => one.issue_number !== here)}
      about={[insight.issue_name, ...texts].join(' ')}
      alikeTo={moved ? { mentions: moved.map((one) => one.id) } : { issue: here }}
      action={moved ? 'Move' : 'Merge'}
      ask={(chosen) => ({
        here,
        body: moved
          ? { kind: 'move', mentions: moved.map((one) => one.id), to: chosen }
          : { kind: 'merge', into: chosen },
      })}
      onClose={onClose}
      onDo={({ body }) => onDo(body)}
    />
  )
}

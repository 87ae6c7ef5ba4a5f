import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { InsightChooser } from '../corrections/insight-chooser.tsx'
import { PreviewStep } from '../corrections/preview-step.tsx'
import type { NamedMention } from '../corrections/use-picking.ts'
import { mentionsInWords } from '../mention-words.ts'

/** So many of the mentions are enough to find the insights that are like them. */
const LOOKED_AT = 10

type AddDialogProps = {
  mentions: readonly NamedMention[]
  insights: readonly Insight[]
  onClose: () => void
  onAdd: (issueNumber: number) => void
}

/** Asks which insight the mentions belong to, shows what that changes, and has it done. */
export function AddDialog({ mentions, insights, onClose, onAdd }: AddDialogProps) {
  const [into, setInto] = useState<number | null>(null)
  // As it was when the dialog opened: a list that changes under the pointer is no help.
  const [all] = useState(insights)
  const texts = mentions.slice(0, LOOKED_AT).map((one) => one.text)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Add to an insight"
      description={mentions.length === 1 ? `“${texts[0]}”` : mentionsInWords(mentions.length)}
    >
      {into === null ? (
        <InsightChooser
          label="Add to"
          insights={all}
          about={texts.join(' ')}
          onChoose={({ issue_number }) => setInto(issue_number)}
        />
      ) : (
        <PreviewStep
          here={into}
          body={{ kind: 'add', mentions: mentions.map((one) => one.id) }}
          action="Add"
          onBack={() => setInto(null)}
          onDo={() => onAdd(into)}
        />
      )}
    </Dialog>
  )
}

import type { Insight } from '@groundswell/contract/insights.ts'
import { ChoiceDialog } from '../corrections/choice-dialog.tsx'
import type { NamedMention } from '../corrections/use-picking.ts'
import { mentionsText } from '../mention-words.ts'

/** This many of the mentions are enough to find similar insights. */
const LOOKED_AT = 10

type AddDialogProps = {
  mentions: readonly NamedMention[]
  insights: readonly Insight[]
  onClose: () => void
  onAdd: (issueNumber: number) => void
}

/** Asks to which insight the mentions belong, shows what that changes, and applies it. */
export function AddDialog({ mentions, insights, onClose, onAdd }: AddDialogProps) {
  const texts = mentions.slice(0, LOOKED_AT).map((one) => one.text)
  return (
    <ChoiceDialog
      title="Add to an insight"
      description={mentions.length === 1 ? `“${texts[0]}”` : mentionsText(mentions.length)}
      insights={insights}
      about={texts.join(' ')}
      alikeTo={{ mentions: mentions.map((one) => one.id) }}
      action="Add"
      ask={(into) => ({ here: into, body: { kind: 'add', mentions: mentions.map((one) => one.id) } })}
      onClose={onClose}
      onDo={({ here }) => onAdd(here)}
    />
  )
}

import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { AlikeTo } from './alike-query.ts'
import { InsightChooser } from './insight-chooser.tsx'
import { PreviewStep } from './preview-step.tsx'

/** A correction and the number of the insight it belongs to. */
export type Asked = { here: number; body: CorrectionRequest }

type ChoiceDialogProps = {
  /** The heading, and the label of the search box. */
  title: string
  description: string
  insights: readonly Insight[]
  /** What to find similar insights for. */
  about: string
  alikeTo: AlikeTo
  action: string
  /** The correction for a chosen insight. */
  ask: (chosen: number) => Asked
  onClose: () => void
  onDo: (asked: Asked) => void
}

/** Asks for an insight, shows what a correction with it changes, and applies it. */
export function ChoiceDialog({
  title,
  description,
  insights,
  about,
  alikeTo,
  action,
  ask,
  onClose,
  onDo,
}: ChoiceDialogProps) {
  // The suggestions from when the dialog opened: a list must not change under the pointer.
  const [listed] = useState(insights)
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title} description={description}>
      {asked === null ? (
        <InsightChooser
          label={title}
          insights={listed}
          about={about}
          alikeTo={alikeTo}
          onChoose={({ issue_number }) => setAsked(ask(issue_number))}
        />
      ) : (
        <PreviewStep {...asked} action={action} onBack={() => setAsked(null)} onDo={() => onDo(asked)} />
      )}
    </Dialog>
  )
}

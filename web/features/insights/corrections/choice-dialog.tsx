import type { CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import type { AlikeTo } from './alike-query.ts'
import { InsightChooser } from './insight-chooser.tsx'
import { PreviewStep } from './preview-step.tsx'

/** A correction and the number of the insight that it is one of. */
export type Asked = { here: number; body: CorrectionRequest }

type ChoiceDialogProps = {
  /** Also what the box to type in is called. */
  title: string
  description: string
  insights: readonly Insight[]
  /** What similar insights are looked for by. */
  about: string
  alikeTo: AlikeTo
  action: string
  /** What is asked for once an insight is chosen. */
  ask: (chosen: number) => Asked
  onClose: () => void
  onDo: (asked: Asked) => void
}

/** Asks for an insight, shows what a correction with it changes, and has it done. */
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
  // As they were when the dialog opened: a list that changes under the pointer is no help.
  const [listed] = useState(insights)
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title} description={description}>
      <div data-modal>
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
      </div>
    </Dialog>
  )
}

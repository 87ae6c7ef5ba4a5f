import type { Insight } from '@groundswell/contract/insights.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

type PushAllDialogProps = {
  insights: readonly Insight[]
  /** How many are selected. */
  of: number
  onClose: () => void
  onPush: () => void
}

/** Asks before several insights are pushed, which cannot be undone. */
export function PushAllDialog({ insights, of, onClose, onPush }: PushAllDialogProps) {
  const count = insights.length
  const others = of > count ? ` Of the ${of} selected, the others are skipped: only created insights are pushed.` : ''
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={count === 1 ? 'Push one insight?' : `Push ${count} insights?`}
      description={`To every connected destination.${others}`}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={onPush}>
          Push
        </Button>
      </div>
    </Dialog>
  )
}

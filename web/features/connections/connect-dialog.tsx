import type { FormField } from '@groundswell/contract/connections.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ConnectorForm } from './connector-form.tsx'

type ConnectDialogProps = {
  title: string
  fields: readonly FormField[]
  onClose: () => void
  /** Rejects with a CallError, whose fields are shown below the inputs. */
  onConfirm: (values: Record<string, unknown>) => Promise<void>
}

/** The form of a connector in a dialog. */
export function ConnectDialog({ title, fields, onClose, onConfirm }: ConnectDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title}>
      <ConnectorForm fields={fields} action="Confirm" onCancel={onClose} onConfirm={onConfirm} />
    </Dialog>
  )
}

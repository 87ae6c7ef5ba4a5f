import type { FormField } from '@groundswell/contract/connections.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ConnectorForm } from './connector-form.tsx'

/** The webhook's form, for a server that does not describe it. */
export const webhookForm: { title: string; fields: readonly FormField[] } = {
  title: 'Enter Webhook URL',
  fields: [
    {
      name: 'webhook',
      label: 'Webhook URL',
      kind: 'url',
      required: true,
      placeholder: 'https://example.com/hooks/feedback',
    },
    { name: 'client_token', label: 'Client token', kind: 'secret', required: false },
  ],
}

type ConnectDialogProps = {
  title: string
  fields: readonly FormField[]
  onClose: () => void
  /** Rejects with a CallError, whose fields are shown at the inputs. */
  onConfirm: (values: Record<string, unknown>) => Promise<void>
}

/** The form of a connector in a window of its own. */
export function ConnectDialog({ title, fields, onClose, onConfirm }: ConnectDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title}>
      <ConnectorForm fields={fields} action="Confirm" onCancel={onClose} onConfirm={onConfirm} />
    </Dialog>
  )
}

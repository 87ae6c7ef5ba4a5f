import type { FormField } from '@groundswell/contract/connections.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ConnectorForm } from './connector-form.tsx'

type Confirm = (values: Record<string, unknown>) => Promise<void>

type ConnectDialogProps = {
  title: string
  fields: readonly FormField[]
  /** Signing in on the provider's own page, where that is possible, and what has to be known first. */
  signIn?: { name: string; fields: readonly FormField[]; onConfirm: Confirm } | undefined
  onClose: () => void
  /** Rejects with a CallError, whose fields are shown below the inputs. */
  onConfirm: Confirm
}

/** The form of a connector in a dialog; where it can also be connected on the provider's page, both ways are offered. */
export function ConnectDialog({ title, fields, signIn, onClose, onConfirm }: ConnectDialogProps) {
  const [byToken, setByToken] = useState(false)
  if (!signIn) {
    return (
      <Dialog open onOpenChange={(open) => open || onClose()} title={title}>
        <ConnectorForm fields={fields} action="Confirm" onCancel={onClose} onConfirm={onConfirm} />
      </Dialog>
    )
  }
  const { name } = signIn
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Connect ${name}`}
      {...(byToken ? {} : { description: `You allow access on a page of ${name}, and return here.` })}
    >
      <div className="flex flex-col gap-4">
        {byToken ? (
          <ConnectorForm key="token" fields={fields} action="Connect" onCancel={onClose} onConfirm={onConfirm} />
        ) : (
          <ConnectorForm
            key="sign-in"
            fields={signIn.fields}
            action={`Sign in with ${name}`}
            onCancel={onClose}
            onConfirm={signIn.onConfirm}
          />
        )}
        {fields.length > 0 ? (
          <div className="flex items-center gap-2 border-t border-line pt-4">
            <span className="flex-1 text-muted">
              {byToken ? 'Or sign in on the provider’s page:' : 'Or connect with a token:'}
            </span>
            <Button onClick={() => setByToken(!byToken)}>{byToken ? `Sign in with ${name}` : 'Use a token'}</Button>
          </div>
        ) : null}
      </div>
    </Dialog>
  )
}

import { INVITATION_DAYS, invite } from '@groundswell/contract/team.ts'
import { ROLES, type Role } from '@groundswell/contract/values/role.ts'
import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { formText } from '../../../ui/text/form-text.ts'
import { call } from '../../client/index.ts'
import { ROLE_HELP, ROLE_WORDS } from './role-words.ts'

type InviteDialogProps = { canMail: boolean; onClose: () => void; onInvited: () => void }
type Made = { link: string; mailedTo: string | null }

/** Asks for the role of the person, and their address where a mail can be sent, and then shows the link, which cannot be shown again. */
export function InviteDialog({ canMail, onClose, onInvited }: InviteDialogProps) {
  const [made, setMade] = useState<Made | null>(null)
  if (made === null) {
    return (
      <Dialog open onOpenChange={(open) => open || onClose()} title="Invite somebody">
        <InviteForm
          canMail={canMail}
          onCancel={onClose}
          onMade={(next) => {
            setMade(next)
            onInvited()
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={made.mailedTo === null ? 'Send this link' : `Sent to ${made.mailedTo}`}
      description={`It works once, for the first person who opens it, and expires after ${INVITATION_DAYS} days. It is shown only once.`}
    >
      <p className="rounded bg-hover px-4 py-3 font-mono text-small break-all">{made.link}</p>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button data-begins onClick={() => void copyText(made.link, 'The link')}>
          <Copy size={14} aria-hidden /> Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

type InviteFormProps = { canMail: boolean; onCancel: () => void; onMade: (made: Made) => void }

function InviteForm({ canMail, onCancel, onMade }: InviteFormProps) {
  const [role, setRole] = useState<Role>('member')
  const send = useMutation({
    mutationFn: (email: string) => call(invite, { body: email === '' ? { role } : { role, email } }),
    onSuccess: ({ link, mailed }, email) => onMade({ link, mailedTo: mailed ? email : null }),
  })
  const submit = (event: SendEvent) => send.mutateAsync(formText(new FormData(event.currentTarget), 'email').trim())
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Role" help={ROLE_HELP[role]}>
        {(ids) => (
          <Select {...ids} data-begins value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {ROLE_WORDS[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {canMail ? (
        <Field
          label="Email (optional)"
          help="We send the link to this address. Without one, you copy the link yourself."
        >
          {(ids) => <Input {...ids} name="email" type="email" autoComplete="off" maxLength={320} />}
        </Field>
      ) : (
        <p className="text-muted">You get a link to copy, since no mail server is set up.</p>
      )}
      {send.isError ? (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
          The invitation was not created. {send.error.message}
        </p>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={send.isPending}>
          Create the link
        </Button>
      </div>
    </Form>
  )
}

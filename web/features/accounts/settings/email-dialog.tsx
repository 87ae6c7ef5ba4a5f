import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { authClient, logFailure } from '../../client/index.ts'
import { ACCOUNT_USER_KEY } from '../account-user.ts'
import { Alert } from '../alert.tsx'
import { useIsHosted } from '../auth-server.ts'
import { settled } from '../auth-words.ts'
import { PasswordField } from '../password/password-field.tsx'
import { noteMailRequested } from '../started-here.ts'
import { refreshUserData } from '../user-store.ts'

type EmailDialogProps = { open: boolean; onClose: () => void; email: string; withPassword: boolean }

/** Changes the address. Where mail is set up, the new one takes effect when its confirmation link is opened. */
export function EmailDialog({ open, onClose, email, withPassword }: EmailDialogProps) {
  const queries = useQueryClient()
  const isHosted = useIsHosted()
  const save = useMutation({
    mutationFn: async ({ wanted, current }: { wanted: string; current: string }) => {
      noteMailRequested(wanted)
      const emailRedirectTo = `${location.origin}/auth?step=confirmed`
      const change = { email: wanted, ...(withPassword ? { current_password: current } : {}) }
      const { user } = settled(await (await authClient()).updateUser(change, { emailRedirectTo }))
      if (isHosted && !user.new_email) settled(await (await authClient()).refreshSession())
      return user
    },
    onSuccess: (user, { wanted }) => {
      const waiting = Boolean(user.new_email)
      toast({
        title: waiting ? 'Confirm your new email' : 'Email changed',
        description: waiting ? `Follow the link in the email sent to ${wanted}.` : `You now log in with ${wanted}.`,
      })
      void queries.invalidateQueries({ queryKey: ACCOUNT_USER_KEY })
      refreshUserData().catch(logFailure('User data could not be loaded'))
      onClose()
    },
  })
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    return save.mutateAsync({ wanted: formText(form, 'email').trim(), current: formText(form, 'current') })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        save.reset()
        if (!next) onClose()
      }}
      title="Change email"
      description={`You currently log in with ${email}.`}
    >
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="New email">
          {(ids) => (
            <Input {...ids} data-begins name="email" type="email" autoComplete="email" maxLength={320} required />
          )}
        </Field>
        {withPassword ? <PasswordField label="Current password" name="current" kind="current" /> : null}
        {save.isError ? <Alert title="The email was not changed">{save.error.message}</Alert> : null}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Change email
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

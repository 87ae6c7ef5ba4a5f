import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { authClient } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { settled } from '../auth-words.ts'
import { PasswordField } from '../password/password-field.tsx'
import { passwordProblem } from '../password/password-rules.ts'

type PasswordDialogProps = { open: boolean; onClose: () => void; email: string; withPassword: boolean }

/** Changes the password, which requires the current one; or sets the first one of an account created through Google. */
export function PasswordDialog({ open, onClose, email, withPassword }: PasswordDialogProps) {
  const queries = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const save = useMutation({
    mutationFn: async ({ password, current }: { password: string; current: string }) => {
      const proof = withPassword ? { current_password: current } : {}
      settled(await (await authClient()).updateUser({ password, ...proof }))
    },
    onSuccess: () => {
      toast({ title: withPassword ? 'Password changed' : 'Password set' })
      void queries.invalidateQueries({ queryKey: ['account'] })
      onClose()
    },
  })
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    const password = formText(form, 'password')
    const wrong = passwordProblem(password)
    setProblem(wrong ?? undefined)
    return wrong === null ? save.mutateAsync({ password, current: formText(form, 'current') }) : undefined
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        save.reset()
        setProblem(undefined)
        if (!next) onClose()
      }}
      title={withPassword ? 'Change password' : 'Set a password'}
      description={withPassword ? undefined : 'With a password you can also log in by email, without Google.'}
    >
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        {withPassword ? <PasswordField label="Current password" name="current" kind="current" begins /> : null}
        <PasswordField label="New password" name="password" kind="new" error={problem} begins={!withPassword} />
        {save.isError ? <Alert title="The password was not changed">{save.error.message}</Alert> : null}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {withPassword ? 'Change password' : 'Set password'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

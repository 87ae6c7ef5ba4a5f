import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { authClient, logFailure } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { useIsHosted } from '../auth-server.ts'
import { settled } from '../auth-words.ts'
import { refreshUserData } from '../user-store.ts'

/** Changes the displayed name. */
export function NameDialog({ open, onClose, name }: { open: boolean; onClose: () => void; name: string }) {
  const isHosted = useIsHosted()
  const save = useMutation({
    mutationFn: async (wanted: string) => {
      settled(await (await authClient()).updateUser({ data: { name: wanted } }))
      // Our server reads the data of a hosted project's people from their newest token.
      if (isHosted) settled(await (await authClient()).refreshSession())
      await refreshUserData().catch(logFailure('User data could not be loaded'))
    },
    onSuccess: () => {
      toast({ title: 'Name changed' })
      onClose()
    },
  })
  const submit = (event: SendEvent) => {
    return save.mutateAsync(formText(new FormData(event.currentTarget), 'name').trim())
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        save.reset()
        if (!next) onClose()
      }}
      title="Change name"
    >
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              name="name"
              data-begins
              autoComplete="name"
              defaultValue={name}
              maxLength={200}
              pattern=".*\S.*"
              title="Enter a name"
              required
            />
          )}
        </Field>
        {save.isError ? <Alert title="The name was not changed">{save.error.message}</Alert> : null}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            Change name
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

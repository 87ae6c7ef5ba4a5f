import { nameWorkspace } from '@groundswell/contract/accounts/workspace-name.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { call } from '../../client/index.ts'
import { refreshUserData } from '../user-store.ts'

/** The longest name that the server takes. */
const MAX_LENGTH = 200

/** Names the workspace. `name`: the stored one. */
export function WorkspaceName({ name }: { name: string }) {
  const [typed, setTyped] = useState(name)
  const save = useMutation({
    mutationFn: (next: string) => call(nameWorkspace, { body: { name: next } }),
    onSuccess: async (saved) => {
      setTyped(saved.name)
      await refreshUserData()
    },
  })
  const next = typed.trim()
  return (
    <Form className="mt-5" onSubmit={async () => void (await save.mutateAsync(next))}>
      <Field
        label="Name of the workspace"
        error={save.error?.message}
        help={save.isSuccess && next === name ? 'Saved.' : 'Your team sees it in invitations and mails.'}
      >
        {(ids) => (
          <div className="flex gap-2">
            <Input
              {...ids}
              type="text"
              dir="auto"
              maxLength={MAX_LENGTH}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" disabled={next === '' || next === name} busy={save.isPending}>
              Save
            </Button>
          </div>
        )}
      </Field>
    </Form>
  )
}

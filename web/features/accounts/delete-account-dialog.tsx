import { deleteMyAccount, getDeletion } from '@groundswell/contract/my-account.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, type SendEvent } from '../../ui/form.tsx'
import { formText } from '../../ui/form-text.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'
import { Alert } from './alert.tsx'
import { PlainCodeField } from './code-field.tsx'
import { PasswordField } from './password-field.tsx'
import { leaveSession } from './session.ts'

/** Deletes the account, after showing what is deleted with it and asking for proof of identity. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={(next) => next || onClose()} title="Delete your account?">
      {open ? <Deletion onClose={onClose} /> : null}
    </Dialog>
  )
}

function Deletion({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const what = useQuery({ queryKey: ['account', 'deletion'], queryFn: () => call(getDeletion, {}) })
  const remove = useMutation({
    mutationFn: (proof: { password?: string; code?: string }) => call(deleteMyAccount, { body: proof }),
    onSuccess: () => {
      leaveSession()
      void navigate('/auth', { replace: true })
      toast({ title: 'Your account is deleted' })
    },
  })
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    const proof = what.data?.proof
    const value = (name: string) => formText(form, name)
    if (proof === 'password') return remove.mutateAsync({ password: value('password') })
    return remove.mutateAsync(proof === 'code' ? { code: value('code').replaceAll(/\s/g, '') } : {})
  }
  if (what.isPending) {
    return (
      <div role="status" aria-label="Checking what would be deleted" className="flex flex-col gap-2">
        <div className="skeleton h-3 w-full" />
        <div className="skeleton h-3 w-2/3" />
      </div>
    )
  }
  if (what.isError) return <Alert title="Your account cannot be deleted now">{what.error.message}</Alert>
  const { words, workspaces, proof } = what.data
  return (
    <Form onSubmit={submit} className="flex flex-col gap-3">
      <p>{words}</p>
      {workspaces.length > 1 ? (
        <ul className="rounded border border-line">
          {workspaces.map(({ name, goes }, index) => (
            <li
              key={`${index} ${name}`}
              className="flex items-center justify-between gap-3 border-b border-line px-3 py-2 last:border-0"
            >
              <span className="min-w-0 break-words" dir="auto">
                {name}
              </span>
              {goes ? <Badge tone="bad">Deleted</Badge> : <Badge>Stays</Badge>}
            </li>
          ))}
        </ul>
      ) : null}
      {proof === 'password' ? <PasswordField label="Your password" name="password" kind="current" /> : null}
      {proof === 'code' ? <PlainCodeField label="Code from your authenticator app" /> : null}
      {remove.isError ? <Alert title="Nothing was deleted">{remove.error.message}</Alert> : null}
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep</Button>
        <Button type="submit" look="danger" busy={remove.isPending}>
          Delete my account
        </Button>
      </div>
    </Form>
  )
}

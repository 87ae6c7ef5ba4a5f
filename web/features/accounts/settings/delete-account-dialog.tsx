import { deleteMyAccount, getDeletion } from '@groundswell/contract/accounts/my-account.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { leaveSession } from '../session.ts'
import { useUserData } from '../user-store.ts'
import { DeletionSkeleton, ProofField, readProof } from './deletion-proof.tsx'
import { ExportEverything } from './export-everything.tsx'
import type { WorkspaceExport } from './workspace-export.ts'

type DialogProps = { open: boolean; exporting: WorkspaceExport; onClose: () => void }

/** Deletes the account, after listing the data that goes with it and asking for proof of identity. */
export function DeleteAccountDialog({ open, exporting, onClose }: DialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => next || onClose()} title="Delete your account?">
      {open ? <Deletion exporting={exporting} onClose={onClose} /> : null}
    </Dialog>
  )
}

function Deletion({ exporting, onClose }: Omit<DialogProps, 'open'>) {
  const email = useUserData()?.email
  const [unconfirmed, setUnconfirmed] = useState(false)
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
  const erases = what.data?.workspaces.some(({ goes }) => goes) ?? false
  const mustConfirm = erases && email !== undefined
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    const differs = mustConfirm && formText(form, 'confirmation').trim().toLowerCase() !== email?.toLowerCase()
    setUnconfirmed(differs)
    return differs ? undefined : remove.mutateAsync(readProof(form, what.data?.proof))
  }
  if (what.isPending) return <DeletionSkeleton />
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
      {erases ? <ExportEverything exporting={exporting} label="Export everything first" /> : null}
      {mustConfirm ? (
        <Field
          label={`Type ${email} to confirm`}
          error={unconfirmed ? 'This is not the email address of your account.' : undefined}
        >
          {(ids) => <Input {...ids} data-begins name="confirmation" autoComplete="off" spellCheck={false} dir="ltr" />}
        </Field>
      ) : null}
      <ProofField proof={proof} />
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

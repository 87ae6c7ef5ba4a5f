import { deleteWorkspace, getWorkspaceDeletion } from '@groundswell/contract/accounts/workspace-deletion.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { leaveSession } from '../session.ts'
import { DeletionSkeleton, ProofField, readProof } from './deletion-proof.tsx'
import { ExportEverything } from './export-everything.tsx'
import type { WorkspaceExport } from './workspace-export.ts'

type Preview = ReplyOf<typeof getWorkspaceDeletion>

/** Deletes the workspace for everyone, after showing what that means and asking for its name and proof of identity. */
export function DeleteWorkspaceDialog({ exporting, onClose }: { exporting: WorkspaceExport; onClose: () => void }) {
  const what = useQuery({
    queryKey: ['workspace', 'deletion'],
    queryFn: () => call(getWorkspaceDeletion, {}),
    gcTime: 0,
  })
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Delete this workspace?">
      {what.isPending ? <DeletionSkeleton /> : null}
      {what.isError ? <Alert title="The workspace cannot be deleted now">{what.error.message}</Alert> : null}
      {what.data ? <Deletion what={what.data} exporting={exporting} onClose={onClose} /> : null}
    </Dialog>
  )
}

type DeletionProps = { what: Preview; exporting: WorkspaceExport; onClose: () => void }

function Deletion({ what, exporting, onClose }: DeletionProps) {
  const { name, proof } = what
  const [unconfirmed, setUnconfirmed] = useState(false)
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: (body: { name: string; password?: string; code?: string }) => call(deleteWorkspace, { body }),
    onSuccess: ({ afterwards }) => {
      // The page is loaded again: nothing of the deleted workspace stays in it.
      if (afterwards !== 'sign-in') return location.assign('/insights')
      leaveSession()
      void navigate('/auth', { replace: true })
      toast({ title: 'The workspace is deleted' })
    },
  })
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    const typed = formText(form, 'confirmation').trim()
    const differs = typed !== name.trim()
    setUnconfirmed(differs)
    return differs ? undefined : remove.mutateAsync({ name: typed, ...readProof(form, proof) })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-3">
      <p>
        <strong className="break-words" dir="auto">
          {name}
        </strong>{' '}
        is deleted for everyone, with all its messages, insights, comments, settings and API keys. This cannot be
        undone.
      </p>
      <ul className="list-disc space-y-1 pl-4 text-muted">
        {consequencesOf(what).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <ExportEverything exporting={exporting} label="Export everything first" />
      <Field
        label={`Type ${name.trim()} to confirm`}
        error={unconfirmed ? 'This is not the name of the workspace.' : undefined}
      >
        {(ids) => <Input {...ids} data-begins name="confirmation" autoComplete="off" spellCheck={false} dir="auto" />}
      </Field>
      <ProofField proof={proof} />
      {remove.isError ? <Alert title="Nothing was deleted">{remove.error.message}</Alert> : null}
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep</Button>
        <Button type="submit" look="danger" busy={remove.isPending}>
          Delete the workspace
        </Button>
      </div>
    </Form>
  )
}

const AFTERWARDS: Record<Preview['afterwards'], string> = {
  another: 'Your account stays. You continue in another of your workspaces.',
  new: 'Your account stays. You continue in a new, empty workspace.',
  'sign-in': 'Your account stays. You are signed out.',
}

/** What else follows from it, one item each. */
function consequencesOf({ others, mailed, backup_days: days, afterwards }: Preview): string[] {
  const who = others === 1 ? 'One other person loses' : `${others} other people lose`
  return [
    'Connections to sources and destinations end. Nothing is deleted at those providers.',
    ...(others > 0 ? [`${who} access at once.${mailed ? ' They get an email.' : ''}`] : []),
    days === null
      ? 'Backups keep a copy until the operator of this server deletes them.'
      : `Backups keep a copy for up to ${days} ${days === 1 ? 'day' : 'days'}.`,
    AFTERWARDS[afterwards],
  ]
}

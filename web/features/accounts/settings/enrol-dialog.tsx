import { makeRecoveryCodes } from '@groundswell/contract/accounts/my-account.ts'
import type { User } from '@supabase/auth-js'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { copyText } from '../../../ui/text/copy-text.ts'
import { formText } from '../../../ui/text/form-text.ts'
import { authClient, call } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { useIsHosted } from '../auth-server.ts'
import { settled } from '../auth-words.ts'
import { CodeField } from '../code-field.tsx'
import { needsProof, ProofForm } from './proof-form.tsx'

type EnrolDialogProps = {
  user: User
  open: boolean
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}

/**
 * Sets up two-factor authentication: a QR code or a secret for the app, then a code from the app as proof. Ends with recovery
 * codes, which a hosted project does not have.
 */
export function EnrolDialog({ user, open, onClose, onDone }: EnrolDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title="Set up two-factor authentication"
      description="Use any authenticator app, or a password manager that generates codes."
    >
      {open ? <Enrol user={user} onClose={onClose} onDone={onDone} /> : null}
    </Dialog>
  )
}

function Enrol({ user, onClose, onDone }: Omit<EnrolDialogProps, 'open'>) {
  const isHosted = useIsHosted()
  const made = useQuery({
    queryKey: ['enrol'],
    queryFn: enrol,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const check = useMutation({
    mutationFn: async ({ factorId, code }: { factorId: string; code: string }) => {
      settled(await (await authClient()).mfa.challengeAndVerify({ factorId, code }))
      return isHosted ? [] : (await call(makeRecoveryCodes, {})).codes
    },
    onSuccess: onDone,
  })
  if (made.isPending) {
    return (
      <div role="status" aria-label="Creating the secret" className="flex flex-col items-center gap-3">
        <div className="skeleton size-44" />
        <div className="skeleton h-3 w-56" />
      </div>
    )
  }
  if (made.isError && needsProof(made.error)) {
    return <ProofForm user={user} onProven={() => void made.refetch()} onClose={onClose} />
  }
  if (made.isError) return <Alert title="Two-factor authentication cannot be set up now">{made.error.message}</Alert>
  const { id: factorId, totp } = made.data
  const submit = (event: SendEvent) => {
    return check.mutateAsync({
      factorId,
      code: formText(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''),
    })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-col items-center gap-2">
        <img
          src={qrAddress(totp.qr_code)}
          alt="QR code with the secret for your authenticator app"
          width={176}
          height={176}
          className="paper rounded"
        />
        <p className="text-small text-muted">Cannot scan it? Enter this secret in the app:</p>
        <div className="flex max-w-full items-center gap-1 rounded bg-hover pl-3">
          <code className="min-w-0 font-mono text-small">{inGroups(totp.secret)}</code>
          <IconButton label="Copy the secret" onClick={() => void copyText(totp.secret, 'The secret')}>
            <Copy size={14} aria-hidden />
          </IconButton>
        </div>
      </div>
      <CodeField label="Current code from the app" />
      {check.isError ? <Alert title="Something went wrong">{check.error.message}</Alert> : null}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={check.isPending}>
          Turn on
        </Button>
      </div>
    </Form>
  )
}

/** Enrols a new factor. An earlier unverified one is removed, so that it does not occupy a name. */
async function enrol() {
  const client = await authClient()
  for (const { id, status } of settled(await client.mfa.listFactors()).all) {
    if (status === 'unverified') settled(await client.mfa.unenroll({ factorId: id }))
  }
  return settled(await client.mfa.enroll({ factorType: 'totp', issuer: 'Groundswell' }))
}

/** A data URL of the received SVG; the client's own prefix leaves `#` unescaped. */
function qrAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg.slice(svg.indexOf('<svg')))}`
}

function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

import type { User } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { authClient, CallError, readToken } from '../../client/index.ts'
import { hasPassword, verifiedFactor } from '../account-user.ts'
import { Alert } from '../alert.tsx'
import { AuthFailure, settled } from '../auth-words.ts'
import { PlainCodeField } from '../code-field.tsx'
import { PasswordField } from '../password/password-field.tsx'
import { endSignInOf } from '../session.ts'

/** Whether a change was refused because the last authentication was too long ago. */
export function needsProof(error: unknown): boolean {
  return (error instanceof AuthFailure || error instanceof CallError) && error.code === 'reauthentication_needed'
}

async function proveByCode(factorId: string, code: string): Promise<void> {
  settled(await (await authClient()).mfa.challengeAndVerify({ factorId, code }))
}

/** A new session replaces this one. */
async function proveByPassword(email: string, password: string): Promise<void> {
  const old = readToken()
  settled(await (await authClient()).signInWithPassword({ email, password }))
  endSignInOf(old)
}

type ProofFormProps = { user: User; onProven: () => void; onClose: () => void }

/** Asks the person to reauthenticate with the second factor or else the password, before a change of credentials. */
export function ProofForm({ user, onProven, onClose }: ProofFormProps) {
  const factor = verifiedFactor(user)
  const { email = '' } = user
  const prove = useMutation({
    mutationFn: (given: { code: string; password: string }) =>
      factor ? proveByCode(factor.id, given.code) : proveByPassword(email, given.password),
    onSuccess: onProven,
  })
  if (!factor && !hasPassword(user)) {
    return (
      <>
        <p>Log out and sign in with Google again. Then change it within ten minutes.</p>
        <div className="mt-5 flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </>
    )
  }
  const submit = (event: SendEvent) => {
    const form = new FormData(event.currentTarget)
    return prove.mutateAsync({
      code: formText(form, 'code').replaceAll(/\s/g, ''),
      password: formText(form, 'password'),
    })
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted">You signed in a while ago. Confirm your identity to continue.</p>
      {factor ? (
        <PlainCodeField label="Code from your authenticator app" />
      ) : (
        <PasswordField label="Your password" name="password" kind="current" autoFocus />
      )}
      {prove.isError ? <Alert title="Something went wrong">{prove.error.message}</Alert> : null}
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={prove.isPending}>
          Continue
        </Button>
      </div>
    </Form>
  )
}

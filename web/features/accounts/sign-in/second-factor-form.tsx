import { redeemRecoveryCode } from '@groundswell/contract/accounts/my-account.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { authClient, call, storeSignIn } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { useIsHosted } from '../auth-server.ts'
import { settled } from '../auth-words.ts'
import { CodeField, RecoveryCodeField } from '../code-field.tsx'

/** Verifies the app's code. Throws AuthFailure. */
async function checkCode(code: string): Promise<void> {
  const client = await authClient()
  const factor = settled(await client.mfa.listFactors()).totp[0]
  if (!factor) throw new Error('Two-factor authentication is no longer set up. Log in again.')
  settled(await client.mfa.challengeAndVerify({ factorId: factor.id, code }))
}

async function checkRecoveryCode(code: string): Promise<void> {
  const session = await call(redeemRecoveryCode, { body: { code } })
  storeSignIn({ ...session, token: session.access_token })
}

/** Asks for the app's code or a recovery code. `onDone` follows once the session is at aal2. */
export function SecondFactorForm({ onDone }: { onDone: () => Promise<void> }) {
  const [recovering, setRecovering] = useState(false)
  const isHosted = useIsHosted()
  const check = useMutation({
    mutationFn: recovering ? checkRecoveryCode : checkCode,
    onSuccess: onDone,
  })
  const submit = (event: SendEvent) => {
    return check.mutateAsync(formText(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''))
  }
  return (
    <Form key={String(recovering)} onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted">
        {recovering
          ? 'Enter one of your recovery codes. Each works once.'
          : 'Enter the six-digit code from your authenticator app.'}
      </p>
      {recovering ? <RecoveryCodeField /> : <CodeField />}
      {check.isError ? <Alert title="Something went wrong">{check.error.message}</Alert> : null}
      <Button type="submit" look="primary" busy={check.isPending} className="mt-1 h-9 w-full">
        Continue
      </Button>
      {isHosted ? null : (
        <button
          type="button"
          onClick={() => {
            check.reset()
            setRecovering(!recovering)
          }}
          className="self-center rounded-small font-medium text-accent underline-offset-2 hover:underline"
        >
          {recovering ? 'Use a code from the app' : 'Use a recovery code'}
        </button>
      )}
    </Form>
  )
}

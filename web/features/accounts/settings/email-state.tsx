import type { User } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { noteMailRequested } from '../started-here.ts'
import { MailCodeDialog } from './mail-code-dialog.tsx'
import { resendConfirmation } from './resend-confirmation.ts'

/** The address, whether it is confirmed, and the pending new one. `mail`: the server can send mail. */
export function EmailState({ user, mail }: { user: User; mail: boolean }) {
  const { email = '', new_email, email_confirmed_at, identities = [] } = user
  const [waiting, setWaiting] = useState(false)
  const send = useMutation({
    mutationFn: async () => {
      noteMailRequested(email)
      await resendConfirmation(email)
    },
    onSuccess: () => setWaiting(true),
    onError: (error) => toast({ title: 'The email was not sent', description: error.message, tone: 'destructive' }),
  })
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 break-all">{email}</span>
        {identities.some(({ provider }) => provider === 'google') ? <Badge>Google</Badge> : null}
        {email_confirmed_at ? null : <Badge tone="warn">Not confirmed</Badge>}
        {email_confirmed_at || !mail ? null : (
          <TextButton disabled={send.isPending} onClick={() => send.mutate()}>
            Send confirmation email
          </TextButton>
        )}
      </span>
      {new_email ? (
        <p className="mt-1 text-small">
          <b className="break-all">{new_email}</b> replaces it once you follow the link in the email sent there.{' '}
          <TextButton onClick={() => setWaiting(true)}>Enter its code</TextButton>
        </p>
      ) : null}
      <MailCodeDialog
        open={waiting}
        onClose={() => setWaiting(false)}
        type={new_email ? 'email_change' : 'signup'}
        email={new_email ?? email}
      />
    </>
  )
}

function TextButton(props: { disabled?: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      {...props}
      className="rounded-small font-medium text-accent underline-offset-2 hover:underline disabled:opacity-55"
    />
  )
}

import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { authClient } from '../../client/index.ts'
import { usePublicConfig } from '../../operations/index.ts'
import { Alert } from '../alert.tsx'
import { AuthScreen } from '../auth-screen.tsx'
import { settled } from '../auth-words.ts'
import { MailCodeForm } from '../mail-code-form.tsx'
import { afterSignIn, goToOnboarding } from '../onboarding.ts'
import { loadUser } from '../session.ts'
import { noteMailRequested } from '../started-here.ts'

type CheckMailStepProps = { email: string; isNew: boolean; onBack: () => void }

/** For servers that require a confirmed email: the mail has been sent; its code can be entered here. */
export function CheckMailStep({ email, isNew, onBack }: CheckMailStepProps) {
  const navigate = useNavigate()
  const config = usePublicConfig()
  const again = useMutation({
    mutationFn: async () => {
      noteMailRequested(email)
      const emailRedirectTo = `${location.origin}/auth?step=confirmed`
      settled(await (await authClient()).resend({ type: 'signup', email, options: { emailRedirectTo } }))
    },
  })
  const done = async () => {
    if (isNew) {
      await goToOnboarding()
      return
    }
    await loadUser()
    void navigate(afterSignIn(), { replace: true })
  }
  return (
    <AuthScreen title="Confirm your email">
      <MailCheck size={24} aria-hidden className="mb-3 text-accent" />
      <p role="status">
        {config?.mail === false ? (
          <>
            The link for <b className="break-words">{email}</b> is in the server log, together with a code, because
            email is not set up.
          </>
        ) : (
          <>
            {again.isSuccess ? 'We sent another email to ' : 'We sent an email to '}
            <b className="break-words">{email}</b>. Follow the link in it, or enter the code here.
          </>
        )}
      </p>
      <p className="mt-2 mb-4 text-muted">Both work once and expire after 10 minutes.</p>
      <MailCodeForm type="signup" email={email} onDone={done} />
      {again.isError ? (
        <div className="mt-3">
          <Alert title="Could not send another one">{again.error.message}</Alert>
        </div>
      ) : null}
      <div className="mt-3 flex flex-col gap-2">
        <Button className="h-9 w-full" busy={again.isPending} onClick={() => again.mutate()}>
          {config?.mail === false ? 'Create a new link' : 'Send another email'}
        </Button>
        <button type="button" onClick={onBack} className="mt-2 self-center rounded-small text-muted hover:text-text">
          Back
        </button>
      </div>
    </AuthScreen>
  )
}

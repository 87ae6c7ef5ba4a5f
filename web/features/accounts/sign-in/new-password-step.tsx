import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Form, type SendEvent } from '../../../ui/form.tsx'
import { formText } from '../../../ui/text/form-text.ts'
import { toast } from '../../../ui/toast-store.ts'
import { authClient, readAuthSession } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { AuthScreen, LoadingScreen } from '../auth-screen.tsx'
import { settled } from '../auth-words.ts'
import { afterSignIn } from '../onboarding.ts'
import { PasswordField } from '../password/password-field.tsx'
import { passwordProblem } from '../password/password-rules.ts'
import { enterSession, useSession } from '../session.ts'
import { oauthLanding } from './oauth-fragment.ts'
import { SecondFactorForm } from './second-factor-form.tsx'

let entering: Promise<void> | undefined

/**
 * /auth?step=new-password: the target of the mailed link. It signs in, asks for the second factor if there is one, then for
 * the password.
 */
export function NewPasswordStep() {
  const { signIn, error } = oauthLanding()
  const [entered, setEntered] = useState(signIn === null)
  const { needsSecondFactor } = useSession()
  useEffect(() => {
    if (signIn === null) return
    entering ??= enterSession(signIn)
    void entering.then(() => setEntered(true))
  }, [signIn])
  const [secondStepDone, setSecondStepDone] = useState(false)
  if (!entered) return <LoadingScreen />
  if (error !== null || readAuthSession() === null) {
    return (
      <AuthScreen title="This link is not valid">
        <p className="text-muted">
          It has already been used or has expired. A link works once and expires after 10 minutes. Your password has not
          changed.
        </p>
        <Link to="/auth?step=forgot" replace className={buttonClass('primary', 'mt-5 h-9 w-full')}>
          Request a new link
        </Link>
      </AuthScreen>
    )
  }
  if (needsSecondFactor && !secondStepDone) {
    return (
      <AuthScreen title="Two-factor authentication">
        <SecondFactorForm onDone={async () => setSecondStepDone(true)} />
      </AuthScreen>
    )
  }
  return <NewPasswordForm />
}

function NewPasswordForm() {
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const user = useQuery({
    queryKey: ['account', 'who'],
    queryFn: async () => settled(await (await authClient()).getUser()).user,
  })
  const save = useMutation({
    mutationFn: async (password: string) => settled(await (await authClient()).updateUser({ password })),
    onSuccess: () => {
      toast({ title: 'Password changed', description: 'You are signed in.' })
      void navigate(afterSignIn(), { replace: true })
    },
  })
  const submit = (event: SendEvent) => {
    const password = formText(new FormData(event.currentTarget), 'password')
    const wrong = passwordProblem(password)
    setProblem(wrong ?? undefined)
    return wrong === null ? save.mutateAsync(password) : undefined
  }
  return (
    <AuthScreen title="Choose a new password">
      <Form onSubmit={submit} className="flex flex-col gap-3">
        {user.data?.email ? (
          <p className="text-muted">
            For <b className="break-words text-text">{user.data.email}</b>
          </p>
        ) : null}
        <input type="email" name="email" autoComplete="username" value={user.data?.email ?? ''} readOnly hidden />
        <PasswordField label="New password" name="password" kind="new" error={problem} autoFocus />
        {save.isError ? <Alert title="The password was not changed">{save.error.message}</Alert> : null}
        <Button type="submit" look="primary" busy={save.isPending} className="mt-1 h-9 w-full">
          Save and continue
        </Button>
      </Form>
    </AuthScreen>
  )
}

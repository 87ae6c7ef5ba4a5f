import { useEffect, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { AuthScreen, LoadingScreen } from '../auth-screen.tsx'
import { afterSignIn } from '../onboarding.ts'
import { enterSession, useSession } from '../session.ts'
import { oauthLanding } from './oauth-fragment.ts'

let entering: Promise<void> | undefined

/** /auth?step=confirmed: the target of a confirmation link, for a new account or a new address. */
export function ConfirmedStep() {
  const { signIn, error } = oauthLanding()
  const { isAuthenticated } = useSession()
  const [entered, setEntered] = useState(signIn === null)
  useEffect(() => {
    if (signIn === null) return
    entering ??= enterSession(signIn)
    void entering.then(() => setEntered(true))
  }, [signIn])
  if (!entered) return <LoadingScreen />
  if (signIn === null && error === null) return <Navigate to={isAuthenticated ? afterSignIn() : '/auth'} replace />
  const next = (
    <Link to={isAuthenticated ? afterSignIn() : '/auth'} replace className={buttonClass('primary', 'mt-5 h-9 w-full')}>
      {isAuthenticated ? 'Continue' : 'Log in'}
    </Link>
  )
  if (error !== null) {
    return (
      <AuthScreen title="This link is not valid">
        <p className="text-muted">
          It has already been used or has expired. If your email is not confirmed yet, request a new link in Settings.
        </p>
        {next}
      </AuthScreen>
    )
  }
  return (
    <AuthScreen title="Your email is confirmed">
      <p className="text-muted">Thank you. There is nothing else to do.</p>
      {next}
    </AuthScreen>
  )
}

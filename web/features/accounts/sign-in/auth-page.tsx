import { type ComponentType, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { MissingScreen } from '../../../ui/loading/missing-part.tsx'
import { usePublicConfig } from '../../operations/index.ts'
import { AuthScreen, LoadingScreen } from '../auth-screen.tsx'
import { LandingGate } from '../landing-gate.tsx'
import { afterSignIn } from '../onboarding.ts'
import { useSession } from '../session.ts'
import { AuthForm } from './auth-form.tsx'
import { GoogleButton } from './google-button.tsx'
import { pendingInvitation, takeInvitation } from './invitation-token.ts'
import { oauthLanding } from './oauth-fragment.ts'

const step = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazyPart<P>(load, {
    waiting: () => <LoadingScreen />,
    missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} />,
  })

const NewPasswordStep = step(async () => (await import('./new-password-step.tsx')).NewPasswordStep)
const ConfirmedStep = step(async () => (await import('./confirmed-step.tsx')).ConfirmedStep)
const SecondFactorStep = step(async () => (await import('./second-factor-step.tsx')).SecondFactorStep)
const CheckMailStep = step(async () => (await import('./check-mail-step.tsx')).CheckMailStep)
const JoinStep = step(async () => (await import('./join-step.tsx')).JoinStep)
const SsoStep = step(async () => (await import('./sso-step.tsx')).SsoStep)
const ForgotStep = step(async () => (await import('./forgot-step.tsx')).ForgotStep)

/** /auth, and by `?step=` its other screens: sign-up, forgotten and new password, second factor, confirmed email, invitation. */
export function AuthPage() {
  const { isAuthenticated, initializing, needsSecondFactor, needsSso } = useSession()
  const at = useSearchParams()[0].get('step')
  if (location.hash !== '') takeInvitation()
  if (initializing) return <LoadingScreen />
  // A confirmed sign-up without a password arrives as a recovery.
  if (at === 'new-password' || (at === 'confirmed' && oauthLanding().type === 'recovery')) {
    return (
      <LandingGate>
        <NewPasswordStep />
      </LandingGate>
    )
  }
  if (at === 'confirmed') {
    return (
      <LandingGate>
        <ConfirmedStep />
      </LandingGate>
    )
  }
  if (isAuthenticated) return at === 'join' ? <JoinStep /> : <Navigate to={afterSignIn()} replace />
  if (needsSecondFactor) return <SecondFactorStep />
  if (needsSso) return <SsoStep />
  if (at === 'forgot') return <ForgotStep />
  return <LoginOrSignup signingUp={at === 'signup'} />
}

function LoginOrSignup({ signingUp }: { signingUp: boolean }) {
  const config = usePublicConfig()
  const mode = signingUp ? 'signup' : 'login'
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  if (unconfirmed !== null) {
    return <CheckMailStep email={unconfirmed} isNew={signingUp} onBack={() => setUnconfirmed(null)} />
  }
  return (
    <AuthScreen title={signingUp ? 'Sign up' : 'Log in'}>
      {pendingInvitation() === null ? null : (
        <p className="mb-4 rounded bg-accent-soft px-3 py-2 text-accent-strong">
          {signingUp ? 'Sign up to see your invitation.' : 'Log in, or sign up, to see your invitation.'}
        </p>
      )}
      <GoogleButton config={config} />
      <div className="my-5 flex items-center gap-3 text-small text-muted">
        <span className="h-px flex-1 bg-line" />
        or login with email
        <span className="h-px flex-1 bg-line" />
      </div>
      {signingUp && config?.signup === 'closed' && pendingInvitation() === null ? (
        <p className="text-muted">Sign-up is closed. Ask an administrator for an account.</p>
      ) : (
        <AuthForm key={mode} mode={mode} config={config} onUnconfirmed={setUnconfirmed} />
      )}
      <p className="mt-5 text-center">
        <Link
          to={signingUp ? '/auth' : '/auth?step=signup'}
          replace
          className="rounded-small text-muted hover:text-text"
        >
          {signingUp ? 'Already have an account? ' : "Don't have an account? "}
          <span className="font-medium text-accent underline-offset-2 hover:underline">
            {signingUp ? 'Log in' : 'Sign up'}
          </span>
        </Link>
      </p>
    </AuthScreen>
  )
}

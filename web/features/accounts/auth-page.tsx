import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { usePublicConfig } from '../operations/index.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthScreen, LoadingScreen } from './auth-screen.tsx'
import { GoogleButton } from './google-button.tsx'
import { LandingGate } from './landing-gate.tsx'
import { oauthLanding } from './oauth-fragment.ts'
import { useSession } from './session.ts'

const NewPasswordStep = lazy(async () => ({ default: (await import('./new-password-step.tsx')).NewPasswordStep }))
const ConfirmedStep = lazy(async () => ({ default: (await import('./confirmed-step.tsx')).ConfirmedStep }))
const SecondFactorStep = lazy(async () => ({ default: (await import('./second-factor-step.tsx')).SecondFactorStep }))
const CheckMailStep = lazy(async () => ({ default: (await import('./check-mail-step.tsx')).CheckMailStep }))
const ForgotStep = lazy(async () => ({ default: (await import('./forgot-step.tsx')).ForgotStep }))

/** /auth, and by `?step=` the ways around it: sign up, forgotten and new password, the second step, a confirmed email. */
export function AuthPage() {
  const { isAuthenticated, initializing, needsSecondFactor } = useSession()
  const step = useSearchParams()[0].get('step')
  if (initializing) return <LoadingScreen />
  // A confirmed sign-up that has no password yet comes as a recovery.
  const choosesPassword = step === 'new-password' || (step === 'confirmed' && oauthLanding().type === 'recovery')
  if (choosesPassword)
    return inTime(
      <LandingGate>
        <NewPasswordStep />
      </LandingGate>,
    )
  if (step === 'confirmed')
    return inTime(
      <LandingGate>
        <ConfirmedStep />
      </LandingGate>,
    )
  if (isAuthenticated) return <Navigate to="/insights" replace />
  if (needsSecondFactor) return inTime(<SecondFactorStep />)
  if (step === 'forgot') return inTime(<ForgotStep />)
  return <LoginOrSignup signingUp={step === 'signup'} />
}

function inTime(screen: ReactNode) {
  return <Suspense fallback={<LoadingScreen />}>{screen}</Suspense>
}

function LoginOrSignup({ signingUp }: { signingUp: boolean }) {
  const config = usePublicConfig()
  const mode = signingUp ? 'signup' : 'login'
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  if (unconfirmed !== null) {
    return inTime(<CheckMailStep email={unconfirmed} isNew={signingUp} onBack={() => setUnconfirmed(null)} />)
  }
  return (
    <AuthScreen title={signingUp ? 'Sign up' : 'Log in'}>
      <GoogleButton config={config} />
      <div className="my-5 flex items-center gap-3 text-small text-muted">
        <span className="h-px flex-1 bg-line" />
        or login with email
        <span className="h-px flex-1 bg-line" />
      </div>
      {signingUp && config?.signup === 'closed' ? (
        <p className="text-muted">Sign-up is closed here. Ask an administrator for an account.</p>
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

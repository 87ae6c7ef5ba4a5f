import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { LoadingScreen } from '../auth-screen.tsx'
import { LandingGate } from '../landing-gate.tsx'
import { afterSignIn, goToOnboarding } from '../onboarding.ts'
import { enterSession, useSession } from '../session.ts'
import { useUserStore } from '../user-store.ts'
import { oauthLanding } from './oauth-fragment.ts'

// A callback that fails shows this screen, whatever can no longer be fetched.
export { AuthCodeErrorPage } from './auth-code-error-page.tsx'

let entering: Promise<void> | undefined

/** /api/auth/oauth-callback: completes a third-party sign-in with the token from the fragment. */
export function OAuthCallbackPage() {
  return (
    <LandingGate>
      <EnterLanding />
    </LandingGate>
  )
}

function EnterLanding() {
  const navigate = useNavigate()
  useEffect(() => {
    const { signIn, isNewUser, error } = oauthLanding()
    if (signIn === null) {
      void navigate('/auth/auth-code-error', { replace: true, state: { reason: error } })
      return
    }
    let shown = true
    entering ??= enterSession(signIn)
    void entering.then(() => {
      if (!shown) return
      const userData = useUserStore.getState().userData
      const { needsSecondFactor, refusal } = useSession.getState()
      if (refusal !== null) void navigate('/auth/auth-code-error', { replace: true, state: { reason: refusal } })
      else if (needsSecondFactor) void navigate('/auth?step=second-factor', { replace: true })
      else if (isNewUser || userData?.['is_new_user'] === true) void goToOnboarding()
      else void navigate(afterSignIn(), { replace: true })
    })
    return () => {
      shown = false
    }
  }, [navigate])
  return <LoadingScreen />
}

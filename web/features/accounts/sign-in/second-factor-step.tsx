import { useNavigate } from 'react-router'
import { AuthScreen } from '../auth-screen.tsx'
import { afterSignIn } from '../onboarding.ts'
import { leaveSession, loadUser } from '../session.ts'
import { SecondFactorForm } from './second-factor-form.tsx'

/** /auth?step=second-factor: asks for the code after a correct password. */
export function SecondFactorStep() {
  const navigate = useNavigate()
  const goOn = async () => {
    await loadUser()
    void navigate(afterSignIn(), { replace: true })
  }
  const leave = () => {
    leaveSession()
    void navigate('/auth', { replace: true })
  }
  return (
    <AuthScreen title="Two-factor authentication">
      <SecondFactorForm onDone={goOn} />
      <p className="mt-5 text-center">
        <button type="button" onClick={leave} className="rounded-small text-muted hover:text-text">
          Log in with another account
        </button>
      </p>
    </AuthScreen>
  )
}

import { Link, useLocation } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { AuthScreen } from '../auth-screen.tsx'

/** /auth/auth-code-error: a third-party sign-in that came back without a token. */
export function AuthCodeErrorPage() {
  const reason = (useLocation().state as { reason?: string | null } | null)?.reason
  return (
    <AuthScreen title="Sign-in was not completed">
      <p className="text-muted">
        The sign-in service did not return a token. This can happen when the window was closed, the link expired, or
        access was denied. Nothing was changed.
      </p>
      {reason ? (
        <p className="mt-3 rounded bg-hover px-3 py-2 break-words" dir="auto">
          {reason}
        </p>
      ) : null}
      <Link to="/auth" className={buttonClass('primary', 'mt-5 h-9 w-full')}>
        Back to log in
      </Link>
    </AuthScreen>
  )
}

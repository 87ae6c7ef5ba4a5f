import { useState } from 'react'
import { Navigate } from 'react-router'
import { usePublicConfig } from '../operations/index.ts'
import { AuthForm, type AuthMode } from './auth-form.tsx'
import { AuthScreen, LoadingScreen } from './auth-screen.tsx'
import { GoogleButton } from './google-button.tsx'
import { useSession } from './session.ts'

/** /auth: log in or sign up. */
export function AuthPage() {
  const { isAuthenticated, initializing } = useSession()
  const config = usePublicConfig()
  const [mode, setMode] = useState<AuthMode>('login')
  if (initializing) return <LoadingScreen />
  if (isAuthenticated) return <Navigate to="/insights" replace />
  const signingUp = mode === 'signup'
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
        <AuthForm key={mode} mode={mode} config={config} />
      )}
      <p className="mt-5 text-center">
        <button
          type="button"
          className="rounded-small text-muted hover:text-text"
          onClick={() => setMode(signingUp ? 'login' : 'signup')}
        >
          {signingUp ? 'Already have an account? ' : "Don't have an account? "}
          <span className="font-medium text-accent underline-offset-2 hover:underline">
            {signingUp ? 'Log in' : 'Sign up'}
          </span>
        </button>
      </p>
    </AuthScreen>
  )
}

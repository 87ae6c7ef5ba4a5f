import { useState } from 'react'
import { Navigate, Outlet } from 'react-router'
import { LoadingScreen, loadUser, useSession, useUserData } from '../features/accounts/index.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

/** Renders for signed-in users; everyone else is redirected: to the second factor after a password without its code, otherwise to /auth. */
export function SignedInOnly() {
  const { isAuthenticated, initializing, needsSecondFactor } = useSession()
  if (initializing) return <LoadingScreen />
  if (isAuthenticated) return <Outlet />
  return <Navigate to={needsSecondFactor ? '/auth?step=second-factor' : '/auth'} replace />
}

/** Renders for administrators; everyone else is redirected to the insights. The role may not be known yet, or not be available. */
export function AdminOnly() {
  const userData = useUserData()
  const { lacksUserData } = useSession()
  if (userData !== null) return userData.is_admin ? <Outlet /> : <Navigate to="/insights" replace />
  return lacksUserData ? <UserDataFailure /> : null
}

function UserDataFailure() {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await loadUser()
    setBusy(false)
  }
  return (
    <Page title="Your account could not be loaded">
      <div role="alert">
        <p className="text-muted">
          This page is for administrators, and your role could not be checked. You are still logged in.
        </p>
        <Button className="mt-4" busy={busy} onClick={() => void retry()}>
          Try again
        </Button>
      </div>
    </Page>
  )
}

/** `/`: redirects to the integrations after a sign-up, otherwise to the insights. */
export function HomeRedirect() {
  return <Navigate to={document.referrer.includes('signup') ? '/integrations' : '/insights'} replace />
}

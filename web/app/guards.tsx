import { useState } from 'react'
import { Navigate, Outlet } from 'react-router'
import { LoadingScreen, loadUser, useSession, useUserData } from '../features/accounts/index.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

/** Lets the signed in through; anyone else goes to /auth, half-way ones to the second step. */
export function SignedInOnly() {
  const { isAuthenticated, initializing, needsSecondFactor } = useSession()
  if (initializing) return <LoadingScreen />
  if (isAuthenticated) return <Outlet />
  return <Navigate to={needsSecondFactor ? '/auth?step=second-factor' : '/auth'} replace />
}

/** Lets administrators through; anyone else goes to the insights. Who it is may not be known yet, or not be found out. */
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

/** `/`: to the integrations for someone who comes from the sign-up, otherwise to the insights. */
export function HomeRedirect() {
  return <Navigate to={document.referrer.includes('signup') ? '/integrations' : '/insights'} replace />
}

import { Navigate, Outlet } from 'react-router'
import { LoadingScreen, useSession, useUserData } from '../features/accounts/index.ts'

/** Lets the signed in through; anyone else goes to /auth, half-way ones to the second step. */
export function SignedInOnly() {
  const { isAuthenticated, initializing, needsSecondFactor } = useSession()
  if (initializing) return <LoadingScreen />
  if (isAuthenticated) return <Outlet />
  return <Navigate to={needsSecondFactor ? '/auth?step=second-factor' : '/auth'} replace />
}

/** Lets administrators through; anyone else goes to the insights. */
export function AdminOnly() {
  const userData = useUserData()
  if (userData === null) return null
  return userData.is_admin ? <Outlet /> : <Navigate to="/insights" replace />
}

/** `/`: to the integrations for someone who comes from the sign-up, otherwise to the insights. */
export function HomeRedirect() {
  return <Navigate to={document.referrer.includes('signup') ? '/integrations' : '/insights'} replace />
}

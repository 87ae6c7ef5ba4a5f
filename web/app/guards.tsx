import { Navigate, Outlet } from 'react-router'
import { LoadingScreen, useSession, useUserData } from '../features/accounts/index.ts'

/** Lets the signed in through; anyone else goes to /auth. */
export function SignedInOnly() {
  const { isAuthenticated, initializing } = useSession()
  if (initializing) return <LoadingScreen />
  return isAuthenticated ? <Outlet /> : <Navigate to="/auth" replace />
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

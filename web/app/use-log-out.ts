import { useNavigate } from 'react-router'
import { leaveSession } from '../features/accounts/index.ts'

/** What ends the session and shows the sign-in. */
export function useLogOut(): () => void {
  const navigate = useNavigate()
  return () => {
    leaveSession()
    void navigate('/auth', { replace: true })
  }
}

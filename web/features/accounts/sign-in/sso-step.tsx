import { linkSingleSignOn } from '@groundswell/contract/accounts/single-sign-on.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { AuthScreen } from '../auth-screen.tsx'
import { leaveSession } from '../session.ts'

/** For a session that may not reach its workspace, which requires single sign-on. Continuing links the account to the identity provider. */
export function SsoStep() {
  const navigate = useNavigate()
  const begin = useMutation({
    mutationFn: () => call(linkSingleSignOn, {}),
    onSuccess: ({ url }) => location.assign(url),
  })
  const leave = () => {
    leaveSession()
    void navigate('/auth', { replace: true })
  }
  return (
    <AuthScreen title="Single sign-on">
      <p className="mb-4 text-muted">
        Your workspace requires single sign-on. Continue at its identity provider, which is then linked to your account.
      </p>
      {begin.isError ? <Alert title="This did not work">{begin.error.message}</Alert> : null}
      <div className="mt-4 flex flex-col gap-2">
        <Button look="primary" className="h-9 w-full" busy={begin.isPending} onClick={() => begin.mutate()}>
          Continue
        </Button>
        <Button className="h-9 w-full" onClick={leave}>
          Log in again
        </Button>
      </div>
    </AuthScreen>
  )
}

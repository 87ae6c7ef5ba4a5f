import { acceptInvitation, previewInvitation } from '@groundswell/contract/team.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { call } from '../../client/index.ts'
import { Alert } from '../alert.tsx'
import { AuthScreen } from '../auth-screen.tsx'
import { clearUserData, useUserData } from '../user-store.ts'
import { forgetInvitation, pendingInvitation } from './invitation-token.ts'

const MAY = {
  viewer: 'You can then see everything there and comment, but not change anything.',
  member: 'You can then see and change everything there. Owners manage people.',
  owner: 'You can then see and change everything there, and manage people.',
}

/** /auth?step=join: shows an invitation to a person who is signed in, and accepts it. */
export function JoinStep() {
  const navigate = useNavigate()
  const email = useUserData()?.email
  const token = pendingInvitation()
  const found = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(previewInvitation, { body: { token: token ?? '' } }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const join = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { token: token ?? '' } }),
    onSuccess: () => {
      forgetInvitation()
      clearUserData()
      location.assign('/insights')
    },
  })
  const decline = () => {
    forgetInvitation()
    void navigate('/insights', { replace: true })
  }
  if (token === null || found.isError) {
    return (
      <AuthScreen title="This invitation is not valid">
        <p className="text-muted">{found.error?.message ?? 'Open the invitation link again.'}</p>
        <Link to="/insights" replace onClick={forgetInvitation} className={buttonClass('primary', 'mt-5 h-9 w-full')}>
          Go to Insights
        </Link>
      </AuthScreen>
    )
  }
  if (!found.data) {
    return (
      <AuthScreen title="Your invitation">
        <div role="status" aria-label="The invitation is loading" className="skeleton h-3 w-2/3" />
      </AuthScreen>
    )
  }
  const { workspace, invited_by, role } = found.data
  return (
    <AuthScreen title="Your invitation">
      <p>
        <strong>{invited_by}</strong> invites you to the workspace{' '}
        <strong className="break-words" dir="auto">
          {workspace}
        </strong>{' '}
        as {role === 'owner' ? 'an owner' : `a ${role}`}.
      </p>
      <p className="mt-2 text-muted">
        {MAY[role]} You are logged in as {email}.
      </p>
      {join.isError ? <Alert title="You have not joined">{join.error.message}</Alert> : null}
      <div className="mt-5 flex flex-col gap-2">
        <Button look="primary" className="h-9 w-full" busy={join.isPending} onClick={() => join.mutate()}>
          Join the workspace
        </Button>
        <Button className="h-9 w-full" onClick={decline}>
          Not now
        </Button>
      </div>
    </AuthScreen>
  )
}

import { type Invitation, revokeInvitation } from '@groundswell/contract/team.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { TEAM } from '../../team/index.ts'
import { dayOf, ROLE_WORDS } from './role-words.ts'

/** The invitations that nobody has accepted yet. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: Invitation) => call(revokeInvitation, { params: { id } }),
    onSuccess: () => toast({ title: 'Invitation revoked', description: 'Its link no longer works.' }),
    onError: (error) => toast({ title: 'Not revoked', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: TEAM }),
  })
  return invitations.map((one) => (
    <SettingRow
      key={one.id}
      title={one.email ?? 'Invitation by link'}
      actions={
        <Button
          aria-label={`Revoke the invitation of ${one.email ?? dayOf(one.created_at)}`}
          busy={revoke.isPending && revoke.variables.id === one.id}
          onClick={() => revoke.mutate(one)}
        >
          Revoke
        </Button>
      }
    >
      {ROLE_WORDS[one.role]} · invited by {one.invited_by} · expires {dayOf(one.expires_at)}
    </SettingRow>
  ))
}

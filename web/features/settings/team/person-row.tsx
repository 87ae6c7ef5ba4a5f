import { changeRole, removeMember, type TeamMember, transferOwnership } from '@groundswell/contract/team.ts'
import { ROLES, type Role } from '@groundswell/contract/values/role.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlays/dialog.tsx'
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx'
import { SettingRow } from '../../../ui/setting-row.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { refreshUserData } from '../../accounts/index.ts'
import { call } from '../../client/index.ts'
import { nameOf, TEAM } from '../../team/index.ts'
import { dayOf, ROLE_WORDS } from './role-words.ts'

type PersonRowProps = { person: TeamMember; mayManage: boolean; isLastOwner: boolean }

/** A person in the workspace. An owner changes the role, hands the workspace over, and removes the person. */
export function PersonRow({ person, mayManage, isLastOwner }: PersonRowProps) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'remove' | 'transfer' | null>(null)
  const { account_id: id, email, role, is_me: isMe } = person
  const shown = nameOf(person)
  const settle = {
    onError: (error: Error) => toast({ title: 'Not changed', description: error.message, tone: 'destructive' }),
    onSettled: async () => {
      setAsked(null)
      // The user's own role may have changed.
      await refreshUserData().catch(() => undefined)
      return client.invalidateQueries({ queryKey: TEAM })
    },
  }
  const set = useMutation({
    mutationFn: (next: Role) => call(changeRole, { params: { id }, body: { role: next } }),
    onSuccess: (_reply, next) => toast({ title: 'Role changed', description: `${shown}: ${ROLE_WORDS[next]}` }),
    ...settle,
  })
  const remove = useMutation({
    mutationFn: () => call(removeMember, { params: { id } }),
    onSuccess: () => toast({ title: 'Removed', description: `${shown} no longer has access.` }),
    ...settle,
  })
  const transfer = useMutation({
    mutationFn: () => call(transferOwnership, { params: { id } }),
    onSuccess: () => toast({ title: 'Handed over', description: `${shown} is an owner, and you are a member.` }),
    ...settle,
  })
  const entries: MenuEntry[] = [
    {
      kind: 'choice',
      label: 'Role',
      value: role,
      options: ROLES.map((one) => ({ value: one, label: ROLE_WORDS[one] })),
      onChange: (next) => set.mutate(next as Role),
    },
    ...(isMe
      ? []
      : ([
          { kind: 'line' },
          { label: 'Hand the workspace over…', leads: true, onSelect: () => setAsked('transfer') },
          { label: 'Remove…', danger: true, leads: true, onSelect: () => setAsked('remove') },
        ] as const)),
  ]
  return (
    <SettingRow
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-words" dir="auto">
            {shown}
          </span>
          {isMe ? <span className="font-normal text-muted">you</span> : null}
        </span>
      }
      actions={
        <span className="flex items-center gap-2">
          <Badge tone={role === 'owner' ? 'good' : undefined}>{ROLE_WORDS[role]}</Badge>
          {mayManage && !isLastOwner ? (
            <Menu
              align="end"
              entries={entries}
              trigger={
                <IconButton label={`Manage ${shown}`}>
                  <Ellipsis size={16} aria-hidden />
                </IconButton>
              }
            />
          ) : null}
        </span>
      }
    >
      {email} · joined {dayOf(person.joined_at)}
      <Confirm
        open={asked === 'remove'}
        onOpenChange={(open) => open || setAsked(null)}
        title={`Remove ${shown}?`}
        question="They lose access to this workspace at once, and their API keys and invitations here stop working. Their work stays; insights assigned to them become unassigned."
        action="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      <Confirm
        open={asked === 'transfer'}
        onOpenChange={(open) => open || setAsked(null)}
        title={`Hand the workspace over to ${shown}?`}
        question="They become an owner and you become a member. Only an owner can undo this."
        action="Hand over"
        refuse="Cancel"
        busy={transfer.isPending}
        onConfirm={() => transfer.mutate()}
      />
    </SettingRow>
  )
}

import type { UserData } from '@groundswell/contract/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/page.tsx'
import { SettingNotLoaded } from '../../../ui/setting-not-loaded.tsx'
import { SettingCard, SettingRow } from '../../../ui/setting-row.tsx'
import { TEAM, useTeam } from '../../team/index.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LeaveRow } from './leave-row.tsx'
import { PersonRow } from './person-row.tsx'
import { SingleSignOn } from './single-sign-on.tsx'

type TeamSectionProps = { workspace: NonNullable<UserData['workspace']> }

/** The people in the workspace and, for owners, inviting, changing and removing them. */
export function TeamSection({ workspace }: TeamSectionProps) {
  const client = useQueryClient()
  const team = useTeam()
  const [inviting, setInviting] = useState(false)
  const isOwner = workspace.role === 'owner'
  const owners = team.data?.members.filter(({ role }) => role === 'owner').length ?? 0
  return (
    <>
      <Section title="Team" lead={`The people in the workspace “${workspace.name}”, and their roles.`}>
        {team.data ? (
          <SettingCard>
            {team.data.members.map((person) => (
              <PersonRow
                key={person.account_id}
                person={person}
                mayManage={isOwner}
                isLastOwner={person.role === 'owner' && owners === 1}
              />
            ))}
            <Invitations invitations={team.data.invitations} />
            {isOwner ? (
              <SettingRow title="Someone new" actions={<Button onClick={() => setInviting(true)}>Invite…</Button>}>
                With a link that works once.
              </SettingRow>
            ) : null}
            {team.data.members.length > 1 ? <LeaveRow isLastOwner={isOwner && owners === 1} /> : null}
          </SettingCard>
        ) : (
          <SettingNotLoaded query={team} loading="The team is loading" failed="The team could not be loaded" rows={1} />
        )}
        {inviting ? (
          <InviteDialog
            canMail={team.data?.mail ?? false}
            onClose={() => setInviting(false)}
            onInvited={() => void client.invalidateQueries({ queryKey: TEAM })}
          />
        ) : null}
      </Section>
      <SingleSignOn isOwner={isOwner} />
    </>
  )
}

import type { TeamMember } from '@groundswell/contract/team.ts'
import { ChevronUp } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useTeam } from '../../team/index.ts'
import { assignable, assignEntries } from './assign-entries.ts'

type AssignAllProps = { disabled: boolean; onAssign: (person: TeamMember | null) => void }

/** Assigns the selected insights. Somebody who works alone gets no button. */
export function AssignAll({ disabled, onAssign }: AssignAllProps) {
  const members = useTeam().data?.members ?? []
  if (members.length < 2) return null
  return (
    <Menu
      align="start"
      side="top"
      entries={assignEntries(assignable(members), onAssign, true)}
      trigger={
        <Button disabled={disabled} data-keeps-panel>
          Assign
          <ChevronUp size={14} aria-hidden />
        </Button>
      }
    />
  )
}

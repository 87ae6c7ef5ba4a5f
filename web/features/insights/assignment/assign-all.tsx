import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronUp } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { useTeam } from '../../team/index.ts'
import { assign } from './assign-actions.ts'
import { assignable, assignEntries } from './assign-entries.ts'

type AssignAllProps = {
  insights: readonly Insight[]
  disabled: boolean
  /** Called with the call that is on its way. */
  onAssign: (work: Promise<void>) => void
}

/** Assigns the selected insights. In a workspace with one person there is no button. */
export function AssignAll({ insights, disabled, onAssign }: AssignAllProps) {
  const client = useQueryClient()
  const members = useTeam().data?.members ?? []
  if (members.length < 2) return null
  return (
    <Menu
      align="start"
      side="top"
      entries={assignEntries(assignable(members), (person) => onAssign(assign(client, insights, person)), true)}
      trigger={
        <Button disabled={disabled} data-keeps-panel>
          Assign
          <ChevronUp size={14} aria-hidden />
        </Button>
      }
    />
  )
}

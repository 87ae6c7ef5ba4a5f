import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, User } from 'lucide-react'
import { useRef } from 'react'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { useMayEdit } from '../../accounts/index.ts'
import { nameOf, useTeam } from '../../team/index.ts'
import { useMenuKey } from '../use-menu-key.ts'
import { assign } from './assign-actions.ts'
import { assignable, assignEntries } from './assign-entries.ts'

const KEY = 'a'

/** The assignee of the open insight, as a button to choose another person (A). Hidden in a workspace with one person. */
export function AssignMenu({ insight }: { insight: Insight }) {
  const client = useQueryClient()
  const trigger = useRef<HTMLButtonElement>(null)
  const mayEdit = useMayEdit()
  const members = useTeam().data?.members
  useMenuKey(KEY, trigger)
  if (!members) return null
  const { assigned_to: id } = insight
  const person = members.find(({ account_id }) => account_id === id)
  const name = person ? nameOf(person) : 'a former member'
  const mark = (
    <>
      <User size={12} aria-hidden className="shrink-0" />
      {id === undefined ? (
        'Assign'
      ) : (
        <span dir="auto" className="truncate">
          <span className="sr-only">Assigned to </span>
          {person?.is_me ? 'You' : name}
        </span>
      )}
    </>
  )
  if (!mayEdit) return id === undefined ? null : <span className="inline-flex items-center gap-1">{mark}</span>
  if (members.length < 2 && id === undefined) return null
  return (
    <Menu
      align="start"
      entries={assignEntries(assignable(members), (next) => void assign(client, [insight], next), id !== undefined)}
      trigger={
        <button
          ref={trigger}
          type="button"
          data-keeps-panel
          aria-keyshortcuts={KEY}
          title={id === undefined ? 'Assign (A)' : `Assigned to ${name} (A)`}
          className="-my-1 inline-flex h-6 max-w-48 items-center gap-1 rounded-small text-small hover:brightness-95"
        >
          {mark}
          <ChevronDown size={12} aria-hidden className="shrink-0" />
        </button>
      }
    />
  )
}

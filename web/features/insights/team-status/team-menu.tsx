import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, ChevronDown, CircleCheck, CircleSlash, Hammer, type LucideIcon, X } from 'lucide-react'
import { useRef } from 'react'
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx'
import { formatMoment } from '../../../ui/text/moment.ts'
import { useMenuKey } from '../use-menu-key.ts'
import { setTeam } from './team-actions.ts'
import { TeamBadge } from './team-badge.tsx'
import { TEAM_STATUSES, teamLabel } from './team-words.ts'

const KEY = 't'

const ICONS: Readonly<Record<TeamStatus, LucideIcon>> = {
  planned: CalendarClock,
  in_progress: Hammer,
  shipped: CircleCheck,
  wont_do: CircleSlash,
}

type TeamMenuProps = { insight: Insight; set: InsightDetail['team_status_set'] }

/** The team status of the open insight as a button that opens the choice of another: T, then 1 to 4, or 0 for none. */
export function TeamMenu({ insight, set }: TeamMenuProps) {
  const client = useQueryClient()
  const trigger = useRef<HTMLButtonElement>(null)
  const value = insight.team_status
  const choose = (next: TeamStatus | null) => () => void setTeam(client, [insight], next)
  const entries: MenuEntry[] = TEAM_STATUSES.map((one, place) => ({
    label: teamLabel(one),
    Icon: ICONS[one],
    shortcut: String(place + 1),
    onSelect: choose(one),
  }))
  if (value !== undefined) {
    entries.push({ kind: 'line' }, { label: 'No team status', Icon: X, shortcut: '0', onSelect: choose(null) })
  }
  useMenuKey(KEY, trigger)
  const by = set ? ` ${set.by ?? 'The tracker'}, ${formatMoment(set.at)}.` : ''
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <button
          ref={trigger}
          type="button"
          data-keeps-panel
          aria-keyshortcuts={KEY}
          title={`What your team decided to do (T).${by}`}
          className="-my-1 inline-flex h-6 items-center gap-0.5 rounded-small text-small hover:brightness-95"
        >
          <span className="mr-0.5">Team status{value === undefined ? '' : ': '}</span>
          {value === undefined ? null : <TeamBadge value={value} />}
          <ChevronDown size={12} aria-hidden />
        </button>
      }
    />
  )
}

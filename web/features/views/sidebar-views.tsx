import clsx from 'clsx'
import { Building2, ChartColumn, type LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router'
import { lazyExtra } from '../../ui/lazy-part.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { usePublicConfig } from '../operations/index.ts'

const ViewList = lazyExtra(async () => (await import('./view-list.tsx')).ViewList)

const ENTRY =
  'flex h-8 items-center gap-2.5 rounded px-2.5 font-medium whitespace-nowrap transition-colors text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-accent-strong'

type SidebarViewsProps = { collapsed: boolean; onNavigate?: (() => void) | undefined }

const ENTRIES: readonly { to: string; label: string; Icon: LucideIcon }[] = [
  { to: '/customers', label: 'Customers', Icon: Building2 },
  { to: '/reports', label: 'Reports', Icon: ChartColumn },
]

/** Below the entries of the sidebar: the customers, the reports, and the saved views. A server that has none of these shows nothing. */
export function SidebarViews({ collapsed, onNavigate }: SidebarViewsProps) {
  if (!usePublicConfig()) return null
  return (
    <>
      {ENTRIES.map(({ to, label, Icon }) => {
        const link = (
          <NavLink
            key={to}
            to={to}
            onClick={onNavigate}
            aria-label={collapsed ? label : undefined}
            className={clsx(ENTRY, collapsed && 'justify-center')}
          >
            <Icon size={16} aria-hidden className="shrink-0" />
            {collapsed ? null : label}
          </NavLink>
        )
        return collapsed ? (
          <Tooltip key={to} text={label} side="right">
            {link}
          </Tooltip>
        ) : (
          link
        )
      })}
      {collapsed ? null : <ViewList entryClass={ENTRY} onNavigate={onNavigate} />}
    </>
  )
}

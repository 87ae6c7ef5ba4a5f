import clsx from 'clsx'
import { ChartColumn } from 'lucide-react'
import { NavLink } from 'react-router'
import { lazyExtra } from '../../ui/lazy-part.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { usePublicConfig } from '../operations/index.ts'

const ViewList = lazyExtra(async () => (await import('./view-list.tsx')).ViewList)

const ENTRY =
  'flex h-8 items-center gap-2.5 rounded px-2.5 font-medium whitespace-nowrap transition-colors text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-accent-strong'

type SidebarViewsProps = { collapsed: boolean; onNavigate?: (() => void) | undefined }

/** Below the entries of the sidebar: the reports, and the saved views. A server that has neither shows nothing. */
export function SidebarViews({ collapsed, onNavigate }: SidebarViewsProps) {
  if (!usePublicConfig()) return null
  const link = (
    <NavLink
      to="/reports"
      onClick={onNavigate}
      aria-label={collapsed ? 'Reports' : undefined}
      className={clsx(ENTRY, collapsed && 'justify-center')}
    >
      <ChartColumn size={16} aria-hidden className="shrink-0" />
      {collapsed ? null : 'Reports'}
    </NavLink>
  )
  return (
    <>
      {collapsed ? (
        <Tooltip text="Reports" side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {collapsed ? null : <ViewList entryClass={ENTRY} onNavigate={onNavigate} />}
    </>
  )
}

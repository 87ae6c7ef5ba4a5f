import clsx from 'clsx'
import { Blocks, ClipboardCheck, Columns3, type LucideIcon, PanelLeft, Settings, Waves } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useUserData } from '../features/accounts/index.ts'
import { IconButton } from '../ui/button.tsx'
import { SIDEBAR_ANIMATION_MS, SIDEBAR_COLLAPSED_WIDTH_PX, SIDEBAR_KEY, SIDEBAR_WIDTH_PX } from '../ui/constants.ts'
import { useAfterFirstLook } from '../ui/first-look.ts'
import { lazyExtra } from '../ui/loading/lazy-part.tsx'
import { SideLink } from '../ui/side-link.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { UserMenu } from './user-menu.tsx'

const MoreLinks = lazyExtra(async () => (await import('./more-links.tsx')).MoreLinks)

/** A screen, as it is linked to. */
export type Place = { to: string; label: string; Icon: LucideIcon }

/** The sidebar's first entries. */
export const ENTRIES: readonly Place[] = [
  { to: '/insights', label: 'Insights', Icon: Waves },
  { to: '/integrations', label: 'Integrations', Icon: Blocks },
  { to: '/settings', label: 'Settings', Icon: Settings },
]

/** Places in the sidebar that only administrators see. */
export const ADMIN_ENTRIES: readonly Place[] = [
  { to: '/eval', label: 'Eval', Icon: ClipboardCheck },
  { to: '/comparisons', label: 'Comparisons', Icon: Columns3 },
]

/** The sidebar of a wide screen. Whether it is collapsed is remembered. */
export function Sidebar() {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(SIDEBAR_KEY) === 'collapsed')
  const toggle = () => {
    localStorage.setItem(SIDEBAR_KEY, collapsed ? 'open' : 'collapsed')
    setCollapsed(!collapsed)
  }
  return (
    <aside
      data-collapsed={collapsed}
      style={{
        width: collapsed ? SIDEBAR_COLLAPSED_WIDTH_PX : SIDEBAR_WIDTH_PX,
        transition: `width ${SIDEBAR_ANIMATION_MS}ms ease`,
      }}
      className="hidden shrink-0 overflow-hidden border-r border-line md:flex md:flex-col"
    >
      <SidebarContent
        collapsed={collapsed}
        toggle={
          <IconButton
            label={collapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
            aria-expanded={!collapsed}
            onClick={toggle}
          >
            <PanelLeft size={16} aria-hidden />
          </IconButton>
        }
      />
    </aside>
  )
}

type SidebarContentProps = { collapsed: boolean; toggle?: ReactNode; onNavigate?: () => void }

/** The mark, the entries, the saved views, and the user at the bottom. */
export function SidebarContent({ collapsed, toggle, onNavigate }: SidebarContentProps) {
  const isAdmin = useUserData()?.is_admin === true
  return (
    <>
      <div
        className={clsx('flex h-14 shrink-0 items-center', collapsed ? 'justify-center' : 'justify-between pr-2 pl-4')}
      >
        {collapsed ? null : <Wordmark />}
        {toggle}
      </div>
      <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-0.5 px-2">
        {(isAdmin ? [...ENTRIES, ...ADMIN_ENTRIES] : ENTRIES).map((entry) => (
          <SideLink key={entry.to} {...entry} collapsed={collapsed} onNavigate={onNavigate} />
        ))}
        {useAfterFirstLook() ? <MoreLinks collapsed={collapsed} onNavigate={onNavigate} /> : null}
      </nav>
      <div className="shrink-0 p-2">
        <UserMenu collapsed={collapsed} />
      </div>
    </>
  )
}

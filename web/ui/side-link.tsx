import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router'
import { Tooltip } from './overlays/tooltip.tsx'

/** The look of every link in the sidebar. */
export const sideLinkClass =
  'flex h-8 items-center gap-2.5 rounded px-2.5 font-medium whitespace-nowrap transition-colors text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-accent-strong'

type SideLinkProps = {
  to: string
  label: string
  Icon: LucideIcon
  collapsed: boolean
  onNavigate?: (() => void) | undefined
}

/** A link in the sidebar; when that is collapsed, its icon with the label as a tooltip. */
export function SideLink({ to, label, Icon, collapsed, onNavigate }: SideLinkProps) {
  const link = (
    <NavLink
      to={to}
      onClick={onNavigate}
      aria-label={collapsed ? label : undefined}
      className={clsx(sideLinkClass, collapsed && 'justify-center')}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      {collapsed ? null : label}
    </NavLink>
  )
  return collapsed ? (
    <Tooltip text={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}

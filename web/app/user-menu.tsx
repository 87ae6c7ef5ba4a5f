import clsx from 'clsx'
import { ArrowLeftRight, ChevronsUpDown, LogOut, ScrollText, Send, Upload, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { leaveSession, useUserData } from '../features/accounts/index.ts'
import { useHasExtras } from '../features/operations/index.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts'

const THEMES: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const WorkspaceDialog = lazyDialog(async () => (await import('./workspace-dialog.tsx')).WorkspaceDialog)

/** The user at the bottom of the sidebar: initial, name, email, and the account menu. */
export function UserMenu({ collapsed }: { collapsed: boolean }) {
  const user = useUserData()
  const theme = useTheme((store) => store.choice)
  const navigate = useNavigate()
  const hasExtras = useHasExtras()
  const name = user?.name ?? ''
  const [choosing, setChoosing] = useState(false)
  const workspace = user?.workspace
  const logOut = () => {
    leaveSession()
    void navigate('/auth', { replace: true })
  }
  const entries: MenuEntry[] = [
    ...(workspace?.has_others
      ? [{ label: workspace.name, Icon: ArrowLeftRight, leads: true, onSelect: () => setChoosing(true) }]
      : []),
    ...(hasExtras
      ? [
          { label: 'Import', Icon: Upload, onSelect: () => void navigate('/import') },
          { label: 'Deliveries', Icon: Send, onSelect: () => void navigate('/deliveries') },
        ]
      : []),
    ...(hasExtras && user?.is_admin
      ? [
          { label: 'Background jobs', Icon: Wrench, onSelect: () => void navigate('/admin/jobs') },
          { label: 'Audit log', Icon: ScrollText, onSelect: () => void navigate('/admin/audit') },
        ]
      : []),
    ...(hasExtras ? [{ kind: 'line' } as const] : []),
    {
      kind: 'choice',
      label: 'Theme',
      value: theme,
      options: THEMES,
      onChange: (choice) => chooseTheme(choice as ThemeChoice),
    },
    { kind: 'line' },
    { label: 'Log out', Icon: LogOut, onSelect: logOut },
  ]
  return (
    <>
      <Menu
        entries={entries}
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            aria-label={`Account of ${name || user?.email || 'this user'}`}
            className={clsx(
              'flex w-full items-center gap-2.5 rounded p-1.5 text-left hover:bg-hover',
              collapsed && 'justify-center',
            )}
          >
            <span
              aria-hidden
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-strong uppercase"
            >
              {Array.from(name || user?.email || '?')[0]}
            </span>
            {collapsed ? null : (
              <>
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium" dir="auto">
                    {name}
                  </span>
                  <span className="block truncate text-small text-muted">{user?.email}</span>
                </span>
                <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted" />
              </>
            )}
          </button>
        }
      />
      {choosing ? <WorkspaceDialog onClose={() => setChoosing(false)} /> : null}
    </>
  )
}

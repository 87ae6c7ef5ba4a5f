import { ArrowLeftRight, LogOut, ScrollText, Send, Upload, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { leaveSession, useUserData } from '../features/accounts/index.ts'
import { useHasExtras } from '../features/operations/index.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import type { MenuEntry, MenuProps } from '../ui/menu.tsx'
import { MenuPopup } from '../ui/menu-popup.tsx'
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts'

const THEMES: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const WorkspaceDialog = lazyDialog(async () => (await import('./workspace-dialog.tsx')).WorkspaceDialog)

/** The menu of the user: the workspace switcher for people in several, further screens, the theme, and the way out. */
export function AccountMenu({ trigger }: Pick<MenuProps, 'trigger'>) {
  const [choosing, setChoosing] = useState(false)
  const user = useUserData()
  const theme = useTheme((store) => store.choice)
  const navigate = useNavigate()
  const hasExtras = useHasExtras()
  const workspace = user?.workspace
  const logOut = () => {
    leaveSession()
    void navigate('/auth', { replace: true })
  }
  const entries: MenuEntry[] = [
    ...(workspace?.has_others
      ? ([
          { label: workspace.name, Icon: ArrowLeftRight, leads: true, onSelect: () => setChoosing(true) },
          { kind: 'line' },
        ] as const)
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
      <MenuPopup entries={entries} align="start" side="top" trigger={trigger} />
      {choosing ? <WorkspaceDialog onClose={() => setChoosing(false)} /> : null}
    </>
  )
}

import { ArrowLeftRight, LogOut, Search } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useUserData } from '../features/accounts/index.ts'
import { useHasExtras } from '../features/operations/index.ts'
import { showFrameWindow } from '../ui/frame-window.ts'
import type { MenuEntry, MenuProps } from '../ui/overlays/menu.tsx'
import { MenuPopup } from '../ui/overlays/menu-popup.tsx'
import { PALETTE_KEY } from './commands/palette-key.ts'
import { ADMIN_MENU_PLACES, MENU_PLACES } from './places.ts'
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts'
import { THEMES } from './theme-choices.ts'
import { useLogOut } from './use-log-out.ts'

/** The menu of the user: the workspace switcher for people in several, further screens, the theme, and the way out. */
export function AccountMenu({ trigger }: Pick<MenuProps, 'trigger'>) {
  const user = useUserData()
  const theme = useTheme((store) => store.choice)
  const navigate = useNavigate()
  const hasExtras = useHasExtras()
  const workspace = user?.workspace
  const places = hasExtras ? [...MENU_PLACES, ...(user?.is_admin ? ADMIN_MENU_PLACES : [])] : []
  const logOut = useLogOut()
  const entries: MenuEntry[] = [
    ...(workspace?.has_others
      ? ([
          { label: workspace.name, Icon: ArrowLeftRight, leads: true, onSelect: () => showFrameWindow('workspaces') },
          { kind: 'line' },
        ] as const)
      : []),
    ...places.map(({ to, ...place }) => ({ ...place, onSelect: () => void navigate(to) })),
    ...(hasExtras ? [{ kind: 'line' } as const] : []),
    {
      label: `Command palette (${PALETTE_KEY})`,
      Icon: Search,
      leads: true,
      onSelect: () => showFrameWindow('commands'),
    },
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
  return <MenuPopup entries={entries} align="start" side="top" trigger={trigger} />
}

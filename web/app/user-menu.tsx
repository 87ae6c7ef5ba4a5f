import clsx from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { useUserData } from '../features/accounts/index.ts'
import { lazyMenu, type MenuProps } from '../ui/overlays/menu.tsx'

const AccountMenu = lazyMenu<Pick<MenuProps, 'trigger'>>(async () => (await import('./account-menu.tsx')).AccountMenu)

/** The user at the bottom of the sidebar: initial, name, email, and the account menu. */
export function UserMenu({ collapsed }: { collapsed: boolean }) {
  const user = useUserData()
  const name = user?.name ?? ''
  return (
    <AccountMenu
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
  )
}

import clsx from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { useUserData } from '../features/accounts/index.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { lazyMenu } from '../ui/menu.tsx'
import type { AccountMenuProps } from './account-menu.tsx'

const AccountMenu = lazyMenu<AccountMenuProps>(async () => (await import('./account-menu.tsx')).AccountMenu)

const WorkspaceDialog = lazyDialog(async () => (await import('./workspace-dialog.tsx')).WorkspaceDialog)

/** The user at the bottom of the sidebar: initial, name, email, and the account menu. */
export function UserMenu({ collapsed }: { collapsed: boolean }) {
  const user = useUserData()
  const name = user?.name ?? ''
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <AccountMenu
        onChooseWorkspace={() => setChoosing(true)}
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

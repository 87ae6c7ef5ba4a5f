import { Menu as MenuIcon } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { useUserData } from '../features/accounts/index.ts'
import { IconButton } from '../ui/button.tsx'
import { useAfterFirstLook } from '../ui/first-look.ts'
import { lazyDialog, lazyExtra } from '../ui/loading/lazy-part.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { Sidebar, SidebarContent } from './sidebar.tsx'

const FrameExtras = lazyExtra(async () => (await import('./frame-extras.tsx')).FrameExtras)

const Drawer = lazyDialog(async () => (await import('../ui/overlays/drawer.tsx')).Drawer)

/** The frame of the signed-in screens: the sidebar, or on a small screen a bar with a drawer, and the screen itself. */
export function Layout() {
  const [drawer, setDrawer] = useState(false)
  const settled = useAfterFirstLook()
  const role = useUserData()?.workspace?.role
  // Controls marked `data-edits` and `data-owners` are hidden from people who may not use them (styles.css).
  useLayoutEffect(() => {
    document.documentElement.dataset['role'] = role ?? ''
  }, [role])
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-raised px-3 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-2 md:hidden">
        <IconButton label="Open the menu" onClick={() => setDrawer(true)}>
          <MenuIcon size={18} aria-hidden />
        </IconButton>
        <Wordmark />
      </header>
      {drawer ? (
        <Drawer onClose={() => setDrawer(false)} title="Menu">
          <SidebarContent collapsed={false} onNavigate={() => setDrawer(false)} />
        </Drawer>
      ) : null}
      <Sidebar />
      <main id="main" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-y-auto outline-none">
        <OfflineBanner />
        {role === 'viewer' ? (
          <p role="note" className="bg-hover px-6 py-1.5 text-small text-muted">
            You can view this workspace. To change something, ask an owner.
          </p>
        ) : null}
        <Outlet />
      </main>
      {settled ? <FrameExtras /> : null}
    </div>
  )
}

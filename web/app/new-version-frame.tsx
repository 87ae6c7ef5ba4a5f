import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { reloadPage } from '../ui/loading/missing-part.tsx'
import { putOff, useNewVersion } from './new-version.ts'

/**
 * Offers the server's newer version above the screen, which stays as it is. The user chooses when to reload, because a reload
 * loses unsaved input.
 */
export function NewVersionFrame({ children }: { children: ReactNode }) {
  const { offered } = useNewVersion()
  // The same elements with and without the offer: otherwise React would remount the screen and lose what was typed.
  return (
    <div className={offered ? 'flex h-full flex-col' : 'contents'}>
      {offered ? (
        <section
          aria-label="New version"
          data-keeps-panel
          className="relative z-[60] flex shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-raised px-4 py-2"
        >
          <p role="status">
            <span className="font-medium">Groundswell was updated.</span> Save your work, then reload to get the new
            version.
          </p>
          <span className="flex gap-2">
            <Button look="primary" onClick={reloadPage}>
              Reload
            </Button>
            <Button onClick={putOff}>Later</Button>
          </span>
        </section>
      ) : null}
      <div className={offered ? 'min-h-0 flex-1 overflow-auto' : 'contents'}>{children}</div>
    </div>
  )
}

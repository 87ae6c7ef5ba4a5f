import { Button } from '../ui/button.tsx'
import { reloadPage } from '../ui/missing-part.tsx'
import { putOff, useNewVersion } from './new-version.ts'

/** Offers the version that the server has by now. The user chooses when: a reload loses what is not saved. */
export function NewVersionBanner() {
  const { offered } = useNewVersion()
  if (!offered) return null
  return (
    <section
      aria-label="New version"
      data-keeps-panel
      className="fixed inset-x-0 top-0 z-[60] flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-raised px-4 py-2 shadow-raised"
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
  )
}

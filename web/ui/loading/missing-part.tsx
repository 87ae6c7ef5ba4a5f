import { Button } from '../button.tsx'
import { PANEL_WIDTH_PX } from '../constants.ts'
import { toast } from '../toast-store.ts'

/** The code of a part could not be fetched: the connection is down, or the server has a newer version. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the app could not be loaded', { cause })
    this.name = 'PartNotLoaded'
  }
}

const NOT_LOADED = 'Check your connection and try again. If Groundswell was updated in the meantime, reload the page.'
const BROKEN = 'Something went wrong in the browser. What is stored on the server is not affected.'

/** Loads the page again, with the newest version of the app. */
export function reloadPage(): void {
  location.reload()
}

/** Reports that a dialog or menu did not open. The page behind it stays as it is. */
export function tellNotOpened(error: unknown): void {
  toast({
    title: 'Could not open',
    description: error instanceof PartNotLoaded ? NOT_LOADED : BROKEN,
    tone: 'destructive',
    action: { label: 'Reload', run: reloadPage },
  })
}

type MissingProps = { error: unknown; onRetry: () => void }

/** Replaces a section that could not be shown. */
export function MissingPart({ error, onRetry }: MissingProps) {
  return (
    <div role="alert" className="my-3 rounded border border-line bg-surface px-4 py-3">
      <p className="font-medium">
        {error instanceof PartNotLoaded ? 'This part could not be loaded.' : 'This part cannot be shown.'}
      </p>
      <p className="text-muted">{error instanceof PartNotLoaded ? NOT_LOADED : BROKEN}</p>
      <Ways onRetry={onRetry} />
    </div>
  )
}

/** Like `MissingPart`, for a single line. `what` names the part that could not be loaded, such as "The filters". */
export function MissingLine({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p role="alert" className="flex h-9 items-center gap-1 px-4 text-small text-muted md:px-6">
      <span className="truncate">{what} could not be loaded.</span>
      <LineButton onClick={onRetry}>Try again</LineButton>
      <LineButton onClick={reloadPage}>Reload</LineButton>
    </p>
  )
}

function LineButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" onClick={onClick} className="h-7 rounded px-1.5 font-medium text-accent hover:bg-hover">
      {children}
    </button>
  )
}

/** Like `MissingPart`, for the side panel. */
export function MissingPanel({ onClose, ...rest }: MissingProps & { onClose: () => void }) {
  return (
    <aside
      aria-label="Not loaded"
      data-keeps-panel
      style={{ width: `min(${PANEL_WIDTH_PX}px, 100vw)` }}
      className="fixed inset-y-0 right-0 z-30 border-l border-line bg-surface p-5 shadow-raised"
    >
      <MissingPart {...rest} />
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
    </aside>
  )
}

/** Replaces a whole screen; the sidebar around it stays usable. */
export function MissingScreen({ error, onRetry }: MissingProps) {
  return (
    <div role="alert" className="mx-auto flex min-h-full max-w-md flex-col items-center justify-center px-4 py-16">
      <h1 className="text-center text-page font-semibold">
        {error instanceof PartNotLoaded ? 'This screen could not be loaded' : 'This screen cannot be shown'}
      </h1>
      <p className="mt-1 text-center text-muted">{error instanceof PartNotLoaded ? NOT_LOADED : BROKEN}</p>
      <Ways onRetry={onRetry} />
    </div>
  )
}

function Ways({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {onRetry === reloadPage ? null : <Button onClick={onRetry}>Try again</Button>}
      <Button onClick={reloadPage}>Reload</Button>
    </div>
  )
}

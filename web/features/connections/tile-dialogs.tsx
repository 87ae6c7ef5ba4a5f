import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { SetupDialog } from './setup-dialog.tsx'
import { TileDetails } from './tile-details.tsx'
import type { Tile } from './tiles.ts'

const PreviewDialog = lazyDialog(async () => (await import('../deliveries/index.ts')).PreviewDialog)

/** The dialog of a tile that is open. */
export type OpenedPart = 'form' | 'setup' | 'details' | 'preview'

/** The form of a tile: the catalogue's, else the specification's. */
function formOf({ entry, spec }: Tile) {
  return entry ? { title: entry.manifest.form_title, fields: entry.manifest.fields } : spec?.form
}

/**
 * Whether there is something to choose or to fill in before signing in. The tile that the specification connects by one click goes
 * to the provider's page directly.
 */
export function offersBoth({ entry, spec }: Tile): boolean {
  if (!entry?.manifest.signs_in || spec?.signIn) return false
  return entry.manifest.fields.length > 0 || (entry.manifest.sign_in_fields ?? []).length > 0
}

type TileDialogsProps = {
  tile: Tile
  what: OpenedPart
  onOpen: (what: OpenedPart) => void
  onClose: () => void
  onAdd: (values: Record<string, unknown>) => Promise<void>
  onSignIn: () => Promise<void>
  /** Rejects where the sign-in does not begin; the form then shows why. */
  beginSigningIn: (values: Record<string, unknown>) => Promise<void>
}

/** The dialog that is open for a tile. */
export function TileDialogs({ tile, what, onOpen, onClose, onAdd, onSignIn, beginSigningIn }: TileDialogsProps) {
  if (what === 'preview') return <PreviewDialog tile={tile.id} onClose={onClose} />
  if (what === 'form') {
    const form = formOf(tile)
    if (!form) return null
    const signIn = { name: tile.name, fields: tile.entry?.manifest.sign_in_fields ?? [], onConfirm: beginSigningIn }
    return (
      <ConnectDialog
        title={form.title}
        fields={form.fields}
        signIn={offersBoth(tile) ? signIn : undefined}
        onClose={onClose}
        onConfirm={onAdd}
      />
    )
  }
  if (!tile.entry) return null
  if (what === 'details') return <TileDetails entry={tile.entry} onClose={onClose} />
  return (
    <SetupDialog
      manifest={tile.entry.manifest}
      onClose={onClose}
      onSaved={() => (offersBoth(tile) ? onOpen('form') : onSignIn())}
      onPaste={onAdd}
    />
  )
}

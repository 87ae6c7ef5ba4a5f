import { useCallback, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyExtra } from '../../ui/loading/lazy-part.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useMayEdit, useUserData } from '../accounts/index.ts'
import { logFailure } from '../client/index.ts'
import { ImportLink } from '../feedback/index.ts'
import { usePublicConfig } from '../operations/index.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { useChoicesOffer } from './choices/use-choices-offer.ts'
import { useConnectors } from './connection-queries.ts'
import { TileCard } from './tile-card.tsx'
import { type OpenedPart, offersBoth, TileDialogs } from './tile-dialogs.tsx'
import { connectedTo, type TileState, tileState } from './tile-state.ts'
import { type ConnectorEntry, listTiles, type Tile } from './tiles.ts'
import { useOAuthReturn } from './use-oauth-return.ts'
import { useTileCalls } from './use-tile-calls.ts'

const SIDES = [
  { side: 'source', title: 'Sources', lead: 'Where feedback comes from.' },
  { side: 'destination', title: 'Destinations', lead: 'Where insights go.' },
] as const

const HeldBanner = lazyExtra(async () => (await import('../deliveries/index.ts')).HeldBanner)

const KeptFeedback = lazyExtra(async () => (await import('./kept-feedback.tsx')).KeptFeedback)

const NO_ENTRIES: readonly ConnectorEntry[] = []

/** What is open over the page, and for which tile. */
type Opened = { what: OpenedPart; id: string }

/** Whether a push to it can be previewed: a destination with nothing left to choose. */
function previews({ side, entry }: Tile): boolean {
  return side === 'destination' && entry?.connection?.status === 'connected' && entry.connection.ready !== false
}

/** /integrations: a tile for each connector. */
export function IntegrationsPage() {
  const userData = useUserData()
  const mayEdit = useMayEdit()
  const config = usePublicConfig()
  const connectors = useConnectors()
  const [failure, setFailure] = useState<string | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const calls = useTileCalls(setFailure)
  const openDetails = useCallback((id: string) => setOpened({ what: 'details', id }), [])
  useOAuthReturn(setFailure)
  const entries = connectors.data?.entries ?? NO_ENTRIES
  useChoicesOffer(mayEdit ? entries : NO_ENTRIES, openDetails)

  const tiles = listTiles(entries)
  const openedTile = tiles.find(({ id }) => id === opened?.id)
  const close = () => setOpened(null)

  async function beginSigningIn(tile: Tile, values?: Record<string, unknown>) {
    const outcome =
      connectors.data?.known === false && !connectors.data.failed ? 'no-call' : await beginSignIn(tile.id, values)
    if (outcome === 'no-app') setOpened({ what: 'setup', id: tile.id })
    if (outcome === 'no-call') tile.spec?.signIn?.(config)
  }

  async function signIn(tile: Tile) {
    try {
      await beginSigningIn(tile)
    } catch (error) {
      logFailure(`${tile.name} was not connected`)(error)
      const description = `Failed to connect ${tile.name}. Please try again.`
      toast({ title: 'Error', description, tone: 'destructive' })
    }
  }

  function clickTile(tile: Tile, state: TileState) {
    const { id, name, entry, spec } = tile
    const signsIn = entry?.manifest.signs_in ?? spec?.signIn !== undefined
    if (state.needsChoices) openDetails(id)
    else if (signsIn && state.status === 'na' && offersBoth(tile)) setOpened({ what: 'form', id })
    else if (signsIn && state.status === 'na') void signIn(tile)
    else if (signsIn) {
      const account = connectedTo(tile, userData) ?? entry?.connection?.name
      toast({ title: `${name} Already Connected`, description: `You are connected to ${account}.` })
    } else if (state.status === 'na') setOpened({ what: 'form', id })
    else if (entry?.connection) setOpened({ what: 'details', id })
  }

  async function add(tile: Tile, values: Record<string, unknown>) {
    await calls.add(tile, values)
    close()
    location.reload()
  }

  if (failure !== null) {
    return (
      <Page title="Integrations">
        <p role="alert" className="text-bad">
          {failure}
        </p>
        <Button className="mt-4" onClick={() => location.assign('/integrations')}>
          Back to integrations
        </Button>
      </Page>
    )
  }
  return (
    <Page title="Integrations" actions={<ImportLink />}>
      {connectors.data?.failed ? (
        <p role="status" className="mb-2 rounded bg-warn-soft px-3 py-2 text-warn">
          The connections could not be loaded completely. Retrying automatically.
        </p>
      ) : null}
      <HeldBanner className="mb-2" />
      {SIDES.map(({ side, title, lead }) => (
        <Section key={side} title={title} lead={lead}>
          <ul aria-busy={connectors.isPending} className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {tiles
              .filter((tile) => tile.side === side)
              .map((tile) => {
                const { id, entry } = tile
                const state = tileState(tile, userData)
                return (
                  <TileCard
                    key={id}
                    tile={tile}
                    state={state}
                    pending={connectors.isPending || connectors.data?.failed === true}
                    // What its menu offers is known with the list only: entries must not move under the pointer.
                    busy={calls.busy === id || connectors.isPending}
                    actions={{
                      onClick: () => clickTile(tile, state),
                      onTest: () => void calls.test(tile),
                      onDisconnect: () => void calls.disconnect(tile),
                      onCancel: () => void calls.cancel(tile),
                      onSetUp: entry?.manifest.has_app ? () => setOpened({ what: 'setup', id }) : undefined,
                      onSync: entry?.manifest.syncs ? () => void calls.sync(tile) : undefined,
                      onPreview: previews(tile) ? () => setOpened({ what: 'preview', id }) : undefined,
                      onDetails: entry?.connection ? () => setOpened({ what: 'details', id }) : undefined,
                    }}
                  />
                )
              })}
          </ul>
          {side === 'source' ? <KeptFeedback /> : null}
        </Section>
      ))}
      {opened && openedTile ? (
        <TileDialogs
          tile={openedTile}
          what={opened.what}
          onOpen={(what) => setOpened({ what, id: openedTile.id })}
          onClose={close}
          onAdd={(values) => add(openedTile, values)}
          onSignIn={() => signIn(openedTile)}
          beginSigningIn={(values) => beginSigningIn(openedTile, values)}
        />
      ) : null}
    </Page>
  )
}

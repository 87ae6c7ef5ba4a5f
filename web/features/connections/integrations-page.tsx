import { type TileName, tiles } from '@groundswell/contract/tiles.ts'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyExtra } from '../../ui/lazy-part.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useUserData } from '../accounts/index.ts'
import { logFailure } from '../client/index.ts'
import { ImportLink } from '../feedback/index.ts'
import { usePublicConfig } from '../operations/index.ts'
import { beginSignIn } from './begin-sign-in.ts'
import { ConnectDialog, webhookForm } from './connect-dialog.tsx'
import { useConnectors } from './connection-queries.ts'
import { SetupDialog } from './setup-dialog.tsx'
import { slackConsentAddress } from './slack.ts'
import { TileCard } from './tile-card.tsx'
import { TileDetails } from './tile-details.tsx'
import { connectedTo, type TileState, tileState } from './tile-state.ts'
import { useOAuthReturn } from './use-oauth-return.ts'
import { useTileCalls } from './use-tile-calls.ts'

const SIDES = [
  { side: 'source', title: 'Sources', lead: 'Where feedback comes from.' },
  { side: 'destination', title: 'Destinations', lead: 'Where insights go.' },
] as const

const HeldBanner = lazyExtra(async () => (await import('../deliveries/index.ts')).HeldBanner)

type Tile = (typeof tiles)[number]

/** /integrations: the eleven tiles. */
export function IntegrationsPage() {
  const userData = useUserData()
  const config = usePublicConfig()
  const connectors = useConnectors()
  const [failure, setFailure] = useState<string | null>(null)
  const [form, setForm] = useState<Tile | null>(null)
  const [setup, setSetup] = useState<Tile | null>(null)
  const [details, setDetails] = useState<TileName | null>(null)
  const calls = useTileCalls(setFailure)
  useOAuthReturn(setFailure)

  const entryOf = (tile: TileName) => connectors.data?.entries.find(({ manifest }) => manifest.id === tile) ?? null
  const detailsEntry = details === null ? null : entryOf(details)
  const setupEntry = setup === null ? null : entryOf(setup.tile)
  const formEntry = form === null ? null : entryOf(form.tile)

  function startSlack() {
    const clientId = config?.slack_client_id ?? import.meta.env.VITE_SLACK_CLIENT_ID
    if (clientId) location.assign(slackConsentAddress(clientId, location.origin))
    else toast({ title: 'Slack is not set up', description: 'This server has no Slack client ID yet.' })
  }

  async function signIn(tile: Tile) {
    try {
      const outcome =
        connectors.data?.known === false && !connectors.data.failed ? 'no-call' : await beginSignIn(tile.tile)
      if (outcome === 'no-app') setSetup(tile)
      if (outcome === 'no-call' && tile.tile === 'slack') startSlack()
    } catch (error) {
      logFailure(`${tile.name} was not connected`)(error)
      const description = `Failed to connect ${tile.name}. Please try again.`
      toast({ title: 'Error', description, tone: 'destructive' })
    }
  }

  function clickTile(tile: Tile, state: TileState) {
    const entry = entryOf(tile.tile)
    const signsIn = entry?.manifest.signs_in ?? tile.tile === 'slack'
    if (signsIn) {
      const name = connectedTo(tile.tile, userData) ?? entry?.connection?.name
      if (state.status === 'na') void signIn(tile)
      else toast({ title: `${tile.name} Already Connected`, description: `You are connected to ${name}.` })
    } else if (state.status === 'na') setForm(tile)
    else if (entry?.connection) setDetails(tile.tile)
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
          <ul aria-busy={connectors.isPending} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {tiles
              .filter((tile) => tile.side === side)
              .map((tile) => {
                const state = tileState(tile.tile, userData, entryOf(tile.tile))
                return (
                  <TileCard
                    key={tile.tile}
                    tile={tile.tile}
                    name={tile.name}
                    state={state}
                    busy={calls.busy === tile.tile}
                    actions={{
                      onClick: () => clickTile(tile, state),
                      onTest: () => void calls.test(tile.tile, tile.name, tile.side === 'source'),
                      onDisconnect: () => void calls.disconnect(tile.tile, tile.name),
                      onCancel: () => void calls.cancel(tile.tile),
                      onSetUp: entryOf(tile.tile)?.manifest.has_app ? () => setSetup(tile) : undefined,
                      onSync: entryOf(tile.tile)?.manifest.syncs ? () => void calls.sync(tile.tile) : undefined,
                      onDetails: entryOf(tile.tile)?.connection ? () => setDetails(tile.tile) : undefined,
                    }}
                  />
                )
              })}
          </ul>
        </Section>
      ))}
      {form ? (
        <ConnectDialog
          title={formEntry?.manifest.form_title ?? webhookForm.title}
          fields={formEntry?.manifest.fields ?? webhookForm.fields}
          onClose={() => setForm(null)}
          onConfirm={async (values) => {
            await calls.add(form.tile, form.name, values)
            setForm(null)
            location.reload()
          }}
        />
      ) : null}
      {setup && setupEntry ? (
        <SetupDialog
          tile={setup.tile}
          manifest={setupEntry.manifest}
          onClose={() => setSetup(null)}
          onPaste={async (values) => {
            await calls.add(setup.tile, setup.name, values)
            location.reload()
          }}
        />
      ) : null}
      {detailsEntry ? <TileDetails entry={detailsEntry} onClose={() => setDetails(null)} /> : null}
    </Page>
  )
}

import { Copy, Eye, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlays/dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { copyText } from '../../ui/text/copy-text.ts'
import { formatMoment } from '../../ui/text/moment.ts'
import { ChoicesSection } from './choices/choices-section.tsx'
import { useSigningSecret, useUpdateConnection } from './connection-queries.ts'
import { RemoteItem } from './remote-item.tsx'
import { remoteCountsText } from './remote-state.ts'
import { SourceDetails } from './source-details.tsx'
import type { ConnectorEntry } from './tiles.ts'

type TileDetailsProps = { entry: ConnectorEntry; onClose: () => void }

/** A connection in the side panel: what it is connected to, how it behaves, what it read, its secret and its ledger. */
export function TileDetails({ entry, onClose }: TileDetailsProps) {
  const { manifest, connection } = entry
  const update = useUpdateConnection(manifest.id)
  if (!connection) return null
  const destination = manifest.side === 'destination'
  return (
    <Panel open onClose={onClose} title={manifest.label} eyebrow={destination ? 'Destination' : 'Source'}>
      <div className="flex flex-col gap-6">
        <section>
          <h3 className="font-semibold">Connected to</h3>
          <p className="mt-1 break-all text-muted">{connection.name}</p>
          {connection.last_sync ? (
            <p className="mt-1 text-small text-muted">Last sync {formatMoment(connection.last_sync)}</p>
          ) : null}
          {connection.error ? (
            <p role="alert" className="mt-2 rounded bg-bad-soft px-3 py-2 text-bad">
              {connection.error}
            </p>
          ) : null}
        </section>
        {connection.paused ? (
          <section className="rounded bg-warn-soft px-3 py-2 text-warn">
            <p className="font-medium">Paused</p>
            <p>
              The endpoint asked to receive nothing more. Nothing is lost: waiting deliveries are sent once you resume.
            </p>
            <Button className="mt-2" busy={update.isPending} onClick={() => update.mutate({ paused: false })}>
              Resume
            </Button>
          </section>
        ) : null}
        {manifest.has_choices ? (
          <ChoicesSection key={String(connection.ready)} manifest={manifest} connection={connection} />
        ) : null}
        {destination ? (
          <Switch
            label="Push automatically"
            help="Send an insight here once it has enough mentions. Insights that already qualify are held for your review."
            checked={
              update.isPending
                ? (update.variables.push_automatically ?? connection.push_automatically)
                : connection.push_automatically
            }
            disabled={update.isPending}
            onChange={(push_automatically) => update.mutate({ push_automatically })}
          />
        ) : null}
        {manifest.tracks ? (
          <Switch
            label="Reopen closed items"
            help="When a resolved insight is mentioned again, its item is reopened. Otherwise it gets a comment."
            checked={
              update.isPending
                ? (update.variables.reopen_items ?? connection.reopen_items ?? false)
                : (connection.reopen_items ?? false)
            }
            disabled={update.isPending}
            onChange={(reopen_items) => update.mutate({ reopen_items })}
          />
        ) : null}
        {connection.items ? (
          <section>
            <h3 className="font-semibold">Items</h3>
            <p className="mt-1 text-muted">{remoteCountsText(connection.items)}</p>
            <p className="mt-1 flex flex-wrap items-center gap-x-2">
              <span className="text-muted">Latest</span>
              <RemoteItem item={connection.items.latest} />
            </p>
          </section>
        ) : null}
        {destination ? null : <SourceDetails manifest={manifest} connection={connection} />}
        {manifest.signs ? <SigningSecret tile={manifest.id} /> : null}
        {destination ? (
          <section>
            <h3 className="font-semibold">Deliveries</h3>
            <p className="mt-1 text-muted">Everything sent here, with each attempt and its response.</p>
            <Link to={`/deliveries?destination=${manifest.id}`} className={buttonClass('secondary', 'mt-2')}>
              Open deliveries
            </Link>
          </section>
        ) : null}
      </div>
    </Panel>
  )
}

function SigningSecret({ tile }: { tile: string }) {
  const { secret, rotate } = useSigningSecret(tile)
  const [asked, setAsked] = useState(false)
  return (
    <section>
      <h3 className="font-semibold">Signing secret</h3>
      <p className="mt-1 text-muted">
        Signs every request (Standard Webhooks), so that you can verify where it came from.
      </p>
      <code className="mt-2 block rounded border border-line bg-canvas px-3 py-2 font-mono text-small break-all">
        {secret.data ?? '••••••••••••••••••••••••'}
      </code>
      {secret.isError ? (
        <p role="alert" className="mt-1 text-small text-bad">
          {secret.error.message}
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {secret.data ? (
          <Button onClick={() => void copyText(secret.data, 'The signing secret')}>
            <Copy size={14} aria-hidden />
            Copy
          </Button>
        ) : (
          <Button busy={secret.isFetching} onClick={() => void secret.refetch()}>
            <Eye size={14} aria-hidden />
            Show
          </Button>
        )}
        <Button busy={rotate.isPending} onClick={() => setAsked(true)}>
          <RotateCw size={14} aria-hidden />
          Rotate
        </Button>
      </div>
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title="Rotate the signing secret"
        question="This creates a new secret. The old one stays valid for a day, so that you can update your endpoint."
        action="Rotate"
        refuse="Cancel"
        onConfirm={() => {
          setAsked(false)
          rotate.mutate()
        }}
      />
    </section>
  )
}

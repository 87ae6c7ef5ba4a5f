import {
  PREVIEW_ID,
  type PreviewedItem,
  type PreviewedRequest,
  type PushPreview,
} from '@groundswell/contract/deliveries.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { Select } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useKnownConnectors } from '../connections/index.ts'
import { usePreview } from './preview-queries.ts'
import { bodyText } from './preview-text.ts'

type PreviewDialogProps = {
  onClose: () => void
  /** The insight; absent: the one with the most mentions. */
  issueNumber?: number
  /** The destination; absent: the person chooses among those that are connected. */
  tile?: string
}

/** What pushing an insight would send, to one destination at a time. Nothing is sent. */
export function PreviewDialog({ issueNumber, tile, onClose }: PreviewDialogProps) {
  const destinations = useKnownConnectors().filter(
    ({ manifest, connection }) =>
      manifest.side === 'destination' && connection?.status === 'connected' && connection.ready !== false,
  )
  const [chosen, setChosen] = useState(tile)
  const shown = chosen ?? destinations[0]?.manifest.id ?? ''
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Preview"
      description="What a push would send now. Nothing is sent."
    >
      <div className="flex flex-col gap-4">
        {tile === undefined && destinations.length > 1 ? (
          <Select
            aria-label="Destination"
            value={shown}
            onChange={(event) => setChosen(event.target.value)}
            className="w-full"
          >
            {destinations.map(({ manifest }) => (
              <option key={manifest.id} value={manifest.id}>
                {manifest.label}
              </option>
            ))}
          </Select>
        ) : null}
        {shown === '' ? (
          <p className="text-muted">
            No destination is connected yet.{' '}
            <Link to="/integrations" className="text-accent hover:underline">
              Connect one
            </Link>
          </p>
        ) : (
          <Preview tile={shown} issueNumber={issueNumber} />
        )}
      </div>
    </Dialog>
  )
}

function Preview({ tile, issueNumber }: { tile: string; issueNumber: number | undefined }) {
  const { data, error } = usePreview(tile, issueNumber)
  if (error) {
    return (
      <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
        {error.message}
      </p>
    )
  }
  if (!data) return <div role="status" aria-label="Loading the preview" className="skeleton h-48" />
  return (
    <>
      <p className="text-muted">{leadOf(data)}</p>
      {data.item ? <Item item={data.item} /> : null}
      {data.requests.map((request, at) => (
        <Request
          key={`${at} ${request.address}`}
          title={data.requests.length > 1 ? `Request ${at + 1} of ${data.requests.length}` : 'Request'}
          request={request}
        />
      ))}
      {data.placeholder === PREVIEW_ID ? (
        <p className="text-small text-muted">The id made of zeros is replaced by the real one when it is pushed.</p>
      ) : null}
      {data.more ? (
        <p className="text-small text-muted">
          What follows depends on {data.destination}’s reply, for example a comment if the item is closed there.
        </p>
      ) : null}
    </>
  )
}

function leadOf({ insight, event, destination }: PushPreview): string {
  if (!insight) return `There is no insight yet. This is example data for ${destination}.`
  const what = event === 'insight.created' ? 'First push' : 'Update'
  return `${what} of “${insight.issue_name}” to ${destination}.`
}

function Item({ item }: { item: PreviewedItem }) {
  const rows = [
    { name: 'Title', value: item.title },
    { name: 'Labels', value: item.labels.length > 0 ? item.labels.join(', ') : null },
    { name: 'Assignee', value: item.assignee },
    ...item.fields.map(({ name, value }) => ({ name: name.charAt(0).toUpperCase() + name.slice(1), value })),
  ].filter(({ value }) => value !== null)
  return (
    <section>
      <h3 className="font-semibold">Item</h3>
      {rows.length > 0 ? (
        <dl className="mt-1 grid grid-cols-[max-content_1fr] gap-x-3 gap-y-1">
          {rows.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {item.text === null ? null : <Code label="Text of the item" text={item.text} />}
    </section>
  )
}

function Request({ title, request }: { title: string; request: PreviewedRequest }) {
  const { method, address, headers, body } = request
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1 font-mono text-small break-all">
        {method} {address}
      </p>
      <p className="mt-1 text-small break-words text-muted">Headers: {headers.join(', ')}</p>
      <Code label="Body of the request" text={bodyText(body)} />
    </section>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <textarea
      readOnly
      aria-label={label}
      rows={8}
      value={text}
      className="mt-2 w-full rounded border border-line bg-canvas px-3 py-2 font-mono text-small"
    />
  )
}

import type { Attempt } from '@groundswell/contract/deliveries.ts'
import { isWebAddress } from '@groundswell/contract/values/web-address.ts'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { RemoteItem, useConnectorName } from '../connections/index.ts'
import { useDelivery, useReplay } from './delivery-queries.ts'
import { eventText, StateBadge } from './state-badge.tsx'
import { waitText } from './wait-words.ts'

/** One delivery in the side panel, with every attempt and its response. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, isError, error } = useDelivery(id)
  const replay = useReplay()
  const delivery = data?.delivery
  const destination = useConnectorName()(delivery?.destination ?? '')
  const waits = delivery && waitText(delivery, destination)
  return (
    <Panel
      open
      onClose={onClose}
      title={delivery?.issue_name ?? 'Delivery'}
      eyebrow={delivery ? `${eventText(delivery.event)} to ${destination}` : undefined}
      actions={
        delivery ? (
          <Button
            data-edits
            busy={replay.isPending}
            disabled={delivery.state === 'sending' || delivery.again === 'sending'}
            onClick={() => replay.mutate(id)}
          >
            <RotateCw size={14} aria-hidden />
            Replay
          </Button>
        ) : null
      }
    >
      {isError ? (
        <p role="alert" className="text-bad">
          This delivery could not be loaded. {error.message}
        </p>
      ) : !delivery || !data ? (
        <div className="skeleton h-24" role="status" aria-label="Loading" />
      ) : (
        <div className="flex flex-col gap-5">
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
            <Row name="State">
              <StateBadge state={delivery.state} />
            </Row>
            <Row name="Insight">
              <Link to={`/insights?issue=${delivery.issue_number}`} className="text-accent hover:underline">
                #{delivery.issue_number}
              </Link>
            </Row>
            {delivery.remote ? (
              <Row name="Item">
                <RemoteItem item={delivery.remote} />
              </Row>
            ) : isWebAddress(delivery.remote_url) ? (
              <Row name="Created item">
                <OutsideLink address={delivery.remote_url} className="break-all text-accent hover:underline">
                  {delivery.remote_url}
                </OutsideLink>
              </Row>
            ) : null}
            <Row name="Event id">
              <code className="font-mono text-small break-all">{delivery.event_id}</code>
            </Row>
            <Row name="Created">{formatMoment(delivery.created_at)}</Row>
            {delivery.delivered_at ? <Row name="Delivered">{formatMoment(delivery.delivered_at)}</Row> : null}
            {delivery.notice ? <Row name="Note">{delivery.notice}</Row> : null}
            {waits ? <Row name={delivery.again ? 'Sent again' : 'Waiting'}>{waits}</Row> : null}
          </dl>
          <section>
            <h3 className="font-semibold">Attempts</h3>
            {data.attempts.length === 0 ? <p className="mt-1 text-muted">None yet.</p> : null}
            <ol className="mt-1">
              {data.attempts.map((attempt) => (
                <AttemptItem key={attempt.number} attempt={attempt} />
              ))}
            </ol>
          </section>
        </div>
      )}
    </Panel>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  const good = attempt.status !== null && attempt.status >= 200 && attempt.status <= 299
  return (
    <li className="border-b border-line py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={good ? 'good' : 'bad'}>{attempt.status ?? 'No response'}</Badge>
        <span>{formatMoment(attempt.at)}</span>
        <span className="ml-auto text-small text-muted tabular-nums">{attempt.duration_ms} ms</span>
      </div>
      {attempt.error ? <p className="mt-1 break-words text-bad">{attempt.error}</p> : null}
      {attempt.answer ? (
        <pre
          tabIndex={0}
          className="mt-2 max-h-48 overflow-auto rounded bg-hover p-2 font-mono text-small break-words whitespace-pre-wrap"
        >
          {attempt.answer}
        </pre>
      ) : null}
    </li>
  )
}

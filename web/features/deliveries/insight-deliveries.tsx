import type { Delivery, RemoteItemView } from '@groundswell/contract/deliveries.ts'
import { isWebAddress } from '@groundswell/contract/values/web-address.ts'
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { RemoteItem, useConnectorName } from '../connections/index.ts'
import { closedReasonText } from './closed-reason.ts'
import { useInsightLedger } from './delivery-queries.ts'
import { eventText, StateBadge } from './state-badge.tsx'
import { failureText, waitText } from './wait-words.ts'

const SHOWN = 3

/** The latest deliveries of an insight, and its remote item. Nothing on a server without a delivery log. */
export function InsightDeliveries({ issueNumber }: { issueNumber: number }) {
  const { data, isPending } = useInsightLedger(issueNumber)
  const connectorName = useConnectorName(data !== undefined && data !== null)
  if (isPending) return <div className="skeleton h-11" />
  if (!data) return null
  const items = newestItems(data.deliveries)
  return (
    <section className="min-h-11">
      <h3 className="font-semibold">Delivery</h3>
      {items.map(({ destination, item }) => (
        <p key={destination} className="mt-1 flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{connectorName(destination)}</span>
          <RemoteItem item={item} />
          {item.state === 'gone' ? (
            <span className="text-small text-muted">It no longer exists there. Push to create a new one.</span>
          ) : null}
        </p>
      ))}
      {data.deliveries.length === 0 ? (
        <p className="mt-1 text-muted">Not sent to any destination yet.</p>
      ) : (
        <ul className="mt-1 flex flex-col gap-2">
          {data.deliveries.slice(0, SHOWN).map((one) => (
            <li key={one.id}>
              <Link
                to={`/deliveries?delivery=${one.id}`}
                className="-mx-2 flex flex-wrap items-center gap-x-2 rounded-small px-2 py-1 hover:bg-hover"
              >
                <StateBadge state={one.state} />
                <span>{eventText(one.event)}</span>
                <span className="text-muted">to {connectorName(one.destination)}</span>
                <span className="ml-auto text-small text-muted">
                  {formatMoment(one.delivered_at ?? one.created_at)}
                </span>
              </Link>
              <WaitLine delivery={one} destination={connectorName(one.destination)} />
              <FailureLine delivery={one} />
              {one.notice ? <p className="text-small break-words text-muted">{one.notice}</p> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/**
 * The newest delivery of an insight in a line beside its status: its state, why it waits or failed, and a link to what it became, where the newest that has
 * an address is no item of a tracker. Nothing where there is none.
 */
export function LatestDelivery({ issueNumber }: { issueNumber: number }) {
  const { data } = useInsightLedger(issueNumber)
  const connectorName = useConnectorName(data !== undefined && data !== null)
  const [newest] = data?.deliveries ?? []
  if (!newest) return null
  const destination = connectorName(newest.destination)
  const remote = data?.deliveries.find((one) => !one.remote && isWebAddress(one.remote_url))
  return (
    <div className="flex w-full flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge state={newest.state} />
      <span>
        {newest.state === 'delivered' ? null : `${eventText(newest.event)} `}to {destination}
      </span>
      {remote ? (
        <OutsideLink
          address={remote.remote_url}
          className="inline-flex items-center gap-1 rounded-small text-small text-accent hover:underline"
        >
          Open in {connectorName(remote.destination)}
          <ExternalLink size={12} aria-hidden />
        </OutsideLink>
      ) : null}
      <WaitLine delivery={newest} destination={destination} />
      <FailureLine delivery={newest} />
    </div>
  )
}

/** Why items of an insight were closed without being done, beside its status. Nothing for others. */
export function ClosedReasons({ issueNumber }: { issueNumber: number }) {
  const { data } = useInsightLedger(issueNumber)
  const connectorName = useConnectorName(data !== undefined && data !== null)
  const reasons = newestItems(data?.deliveries ?? []).flatMap(
    ({ destination, item }) => closedReasonText(item, connectorName(destination)) ?? [],
  )
  return reasons.map((reason) => (
    <span key={reason} className="text-small break-words">
      {reason}
    </span>
  ))
}

/** The item of each tracker that the newest delivery has worked on. */
function newestItems(deliveries: readonly Delivery[]): { destination: string; item: RemoteItemView }[] {
  const byDestination = new Map<string, RemoteItemView>()
  for (const { destination, remote } of deliveries) {
    if (remote && !byDestination.has(destination)) byDestination.set(destination, remote)
  }
  return [...byDestination].map(([destination, item]) => ({ destination, item }))
}

function FailureLine({ delivery }: { delivery: Delivery }) {
  const text = failureText(delivery)
  return text ? <p className="text-small break-words text-bad">{text}</p> : null
}

function WaitLine({ delivery, destination }: { delivery: Delivery; destination: string }) {
  const text = waitText(delivery, destination)
  return text ? <p className="text-small text-muted">{text}</p> : null
}

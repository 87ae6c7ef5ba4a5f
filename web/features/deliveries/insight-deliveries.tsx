import { Link } from 'react-router'
import { formatMoment } from '../../ui/moment.ts'
import { useInsightLedger } from './delivery-queries.ts'
import { eventInWords, StateBadge } from './state-badge.tsx'

const SHOWN = 3

/** Where an insight has been sent, in a few lines. Nothing at all on a server without a ledger. */
export function InsightDeliveries({ issueNumber }: { issueNumber: number }) {
  const { data } = useInsightLedger(issueNumber)
  if (!data) return null
  return (
    <section>
      <h3 className="font-semibold">Delivery</h3>
      {data.deliveries.length === 0 ? (
        <p className="mt-1 text-muted">Not sent to any destination yet.</p>
      ) : (
        <ul className="mt-1">
          {data.deliveries.slice(0, SHOWN).map((one) => (
            <li key={one.id}>
              <Link
                to={`/deliveries?delivery=${one.id}`}
                className="-mx-2 flex flex-wrap items-center gap-x-2 rounded-small px-2 py-1 hover:bg-hover"
              >
                <StateBadge state={one.state} />
                <span>{eventInWords(one.event)}</span>
                <span className="text-muted">to {one.destination}</span>
                <span className="ml-auto text-small text-muted">
                  {formatMoment(one.delivered_at ?? one.created_at)}
                </span>
              </Link>
              {one.last_error && one.state !== 'delivered' ? (
                <p className="text-small break-words text-bad">{one.last_error}</p>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

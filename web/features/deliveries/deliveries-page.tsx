import { DELIVERY_STATES, type Delivery } from '@groundswell/contract/deliveries.ts'
import { Send } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { HeadRow } from '../../ui/table/head-row.tsx'
import { TableSkeleton } from '../../ui/table/table-skeleton.tsx'
import { formatMoment } from '../../ui/text/moment.ts'
import { remoteStateText, useConnectorName, useKnownConnectors } from '../connections/index.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { type LedgerFilter, useLedger } from './delivery-queries.ts'
import { eventText, StateBadge, stateText } from './state-badge.tsx'
import { failureText, waitText } from './wait-words.ts'

const COLUMNS = [
  { label: 'Insight', className: 'h-9 px-4' },
  { label: 'State', className: 'w-28 px-2' },
  { label: 'Response', className: 'hidden w-20 px-2 sm:table-cell' },
  { label: 'Attempts', className: 'hidden w-20 px-2 sm:table-cell' },
  { label: 'Created', className: 'hidden w-48 px-2 md:table-cell' },
]

/** /deliveries: every event sent. `?destination=webhook` and `?state=failed` filter, `?delivery=…` opens one. */
export function DeliveriesPage() {
  const [address, setAddress] = useSearchParams()
  const filter = {
    destination: address.get('destination') ?? undefined,
    state: DELIVERY_STATES.find((state) => state === address.get('state')),
  }
  const filtered = filter.destination !== undefined || filter.state !== undefined
  const ledger = useLedger(filter)
  const deliveries = ledger.data?.pages.flatMap((page) => page.deliveries) ?? []
  const opened = address.get('delivery')
  const setPart = (name: 'delivery' | 'destination' | 'state', value: string | null) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const setOpened = (id: string | null) => setPart('delivery', id)
  return (
    <Page
      title="Deliveries"
      lead="Every event sent to a destination, with each attempt and its response."
      actions={
        <LedgerFilters
          filter={filter}
          onDestination={(value) => setPart('destination', value)}
          onState={(value) => setPart('state', value)}
        />
      }
    >
      {ledger.isPending ? (
        <TableSkeleton label="Deliveries" columns={['Insight', 'State', 'Response', 'Created']} />
      ) : ledger.isError && !ledger.data ? (
        <EmptyState
          title="The deliveries could not be loaded"
          actions={<Button onClick={() => void ledger.refetch()}>Try again</Button>}
        >
          {ledger.error.message}
        </EmptyState>
      ) : deliveries.length === 0 && filtered ? (
        <EmptyState
          icon={<Send size={24} aria-hidden />}
          title="Delivery not found"
          actions={<Button onClick={() => setAddress({}, { replace: true })}>Show all</Button>}
        >
          No deliveries match these filters.
        </EmptyState>
      ) : deliveries.length === 0 ? (
        <EmptyState
          icon={<Send size={24} aria-hidden />}
          title="Nothing has been sent yet"
          actions={
            <Link to="/integrations" className={buttonClass()}>
              Integrations
            </Link>
          }
        >
          Once a destination is connected, an insight is pushed there as soon as enough people have said it.
        </EmptyState>
      ) : (
        <>
          <div className="overflow-hidden rounded border border-line bg-surface">
            <table className="w-full table-fixed border-collapse">
              <HeadRow columns={COLUMNS} />
              <tbody>
                {deliveries.map((one) => (
                  <DeliveryRow key={one.id} delivery={one} isOpen={one.id === opened} onOpen={setOpened} />
                ))}
              </tbody>
            </table>
          </div>
          {ledger.hasNextPage ? (
            <Button className="mt-3" busy={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
              Show older
            </Button>
          ) : null}
        </>
      )}
      {opened ? <DeliveryPanel key={opened} id={opened} onClose={() => setOpened(null)} /> : null}
    </Page>
  )
}

type LedgerFiltersProps = {
  filter: LedgerFilter
  onDestination: (destination: string | null) => void
  onState: (state: string | null) => void
}

function LedgerFilters({ filter, onDestination, onState }: LedgerFiltersProps) {
  const destinations = useKnownConnectors().filter(({ manifest }) => manifest.side === 'destination')
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label="Destination"
        value={filter.destination ?? ''}
        onChange={(event) => onDestination(event.target.value || null)}
      >
        <option value="">All destinations</option>
        {destinations.map(({ manifest }) => (
          <option key={manifest.id} value={manifest.id}>
            {manifest.label}
          </option>
        ))}
      </Select>
      <Select aria-label="State" value={filter.state ?? ''} onChange={(event) => onState(event.target.value || null)}>
        <option value="">All states</option>
        {DELIVERY_STATES.map((state) => (
          <option key={state} value={state}>
            {stateText(state)}
          </option>
        ))}
      </Select>
    </div>
  )
}

type DeliveryRowProps = { delivery: Delivery; isOpen: boolean; onOpen: (id: string) => void }

function DeliveryRow({ delivery, isOpen, onOpen }: DeliveryRowProps) {
  const destination = useConnectorName()(delivery.destination)
  const waits = waitText(delivery, destination)
  const failure = failureText(delivery)
  return (
    <tr
      data-keeps-panel
      onClick={() => onOpen(delivery.id)}
      className={`cursor-pointer border-b border-line align-top last:border-0 ${isOpen ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      <td className="px-4 py-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          dir="auto"
          className="block max-w-full truncate rounded-small text-left font-medium"
        >
          {delivery.issue_name}
        </button>
        <p className="text-small break-words text-muted">
          {eventText(delivery.event)} to {destination}
          {delivery.remote ? ` · ${delivery.remote.label} (${remoteStateText(delivery.remote)})` : null}
          {waits ? ` · ${waits}` : null}
          {delivery.notice ? ` · ${delivery.notice}` : null}
          {failure ? <span className="text-bad"> · {failure}</span> : null}
        </p>
      </td>
      <td className="px-2 py-2.5">
        <StateBadge state={delivery.state} />
      </td>
      <td className="hidden px-2 py-2.5 tabular-nums sm:table-cell">{delivery.last_status ?? '–'}</td>
      <td className="hidden px-2 py-2.5 tabular-nums sm:table-cell">{delivery.attempts}</td>
      <td className="hidden px-2 py-2.5 whitespace-nowrap text-muted md:table-cell">
        {formatMoment(delivery.created_at)}
      </td>
    </tr>
  )
}

import type { Delivery } from '@groundswell/contract/deliveries.ts'
import { Send } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatMoment } from '../../ui/moment.ts'
import { Page } from '../../ui/page.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { useLedger } from './delivery-queries.ts'
import { eventInWords, StateBadge } from './state-badge.tsx'

/** /deliveries: everything that was sent out. `?destination=webhook` filters, `?delivery=…` opens one. */
export function DeliveriesPage() {
  const [address, setAddress] = useSearchParams()
  const ledger = useLedger(address.get('destination') ?? undefined)
  const deliveries = ledger.data?.pages.flatMap((page) => page.deliveries) ?? []
  const opened = address.get('delivery')
  const setOpened = (id: string | null) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old)
        if (id) next.set('delivery', id)
        else next.delete('delivery')
        return next
      },
      { replace: true },
    )
  return (
    <Page title="Deliveries" lead="Every event on its way to a destination, with each try and what was answered.">
      {ledger.isPending ? (
        <TableSkeleton label="Deliveries" columns={['Insight', 'State', 'Status', 'Made']} />
      ) : ledger.isError && !ledger.data ? (
        <EmptyState
          title="The deliveries could not be loaded"
          actions={<Button onClick={() => void ledger.refetch()}>Try again</Button>}
        >
          {ledger.error.message}
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
          Once a destination is connected, an insight goes there as soon as enough people have said it.
        </EmptyState>
      ) : (
        <>
          <div className="overflow-hidden rounded border border-line bg-surface">
            <table className="w-full table-fixed border-collapse">
              <thead>
                <tr className="border-b border-line text-left text-small text-muted">
                  <th scope="col" className="h-9 px-4 font-medium">
                    Insight
                  </th>
                  <th scope="col" className="w-28 px-2 font-medium">
                    State
                  </th>
                  <th scope="col" className="hidden w-20 px-2 font-medium sm:table-cell">
                    Status
                  </th>
                  <th scope="col" className="hidden w-20 px-2 font-medium sm:table-cell">
                    Tries
                  </th>
                  <th scope="col" className="hidden w-48 px-2 font-medium md:table-cell">
                    Made
                  </th>
                </tr>
              </thead>
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

type DeliveryRowProps = { delivery: Delivery; isOpen: boolean; onOpen: (id: string) => void }

function DeliveryRow({ delivery, isOpen, onOpen }: DeliveryRowProps) {
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
        <p className="truncate text-small text-muted">
          {eventInWords(delivery.event)} to {delivery.destination}
          {delivery.last_error && delivery.state !== 'delivered' ? (
            <span className="text-bad"> · {delivery.last_error}</span>
          ) : null}
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

import type { Customer, CustomerOrder } from '@groundswell/contract/customers.ts'
import { Building2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { HeadRow } from '../../ui/table/head-row.tsx'
import { TableSkeleton } from '../../ui/table/table-skeleton.tsx'
import { useAddressParts } from '../../ui/use-address-parts.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { CallError } from '../client/index.ts'
import { customersText, fullAmount, shortAmount } from './amount-words.ts'
import { CustomerPanel } from './customer-panel.tsx'
import { useCustomers } from './customer-queries.ts'

const UploadDialog = lazyPart(async () => (await import('./upload-dialog.tsx')).UploadDialog)

const ORDERS: readonly { value: CustomerOrder; label: string }[] = [
  { value: 'messages', label: 'Most messages first' },
  { value: 'insights', label: 'Most insights first' },
  { value: 'revenue', label: 'Highest revenue first' },
  { value: 'name', label: 'By name' },
]

const COLUMNS = [
  { label: 'Customer', className: 'h-9 px-4' },
  { label: 'Messages', className: 'w-24 px-2 pr-4 text-right' },
  { label: 'Insights', className: 'hidden w-24 px-2 pr-4 text-right sm:table-cell' },
]

/** Only a list that somebody uploads, or a ticket, says these. */
const LISTED_COLUMNS = [
  { label: 'Revenue', className: 'w-24 px-2 text-right' },
  { label: 'Plan', className: 'hidden w-36 px-2 pl-6 md:table-cell' },
  { label: 'Region', className: 'hidden w-36 px-2 md:table-cell' },
]

/** /customers: the organisations behind feedback. `?q=` searches, `order` sorts, `customer` opens one. */
export function CustomersPage() {
  const [address, setParts] = useAddressParts<'q' | 'order' | 'customer'>()
  const [uploading, setUploading] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)
  const typed = (address.get('q') ?? '').trim().slice(0, 200)
  const words = useSettled(typed)
  const order = ORDERS.find(({ value }) => value === address.get('order'))?.value ?? 'messages'
  const list = useCustomers(words, order)
  const customers = list.data?.pages.flatMap((page) => page.customers) ?? []
  const first = list.data?.pages[0]
  const listed = customers.some(({ revenue, plan, region }) => revenue !== null || plan !== null || region !== null)
  const opened = address.get('customer')
  const missing = list.error instanceof CallError && list.error.status === 404
  return (
    <Page
      title="Customers"
      lead="The organisations behind your feedback, found by e-mail domain or named in a file or source."
      actions={
        <Button
          look={first?.total === 0 && words === '' ? 'primary' : 'secondary'}
          data-edits
          onClick={() => setUploading(true)}
          disabled={missing}
        >
          Upload a list
        </Button>
      }
    >
      {missing ? null : (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <div className="w-full sm:w-auto">
            <SearchBox label="Search customers" box={searchBox} words={typed} onWords={(q) => setParts({ q })} />
          </div>
          <Select aria-label="Order" value={order} onChange={(event) => setParts({ order: event.target.value })}>
            {ORDERS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <p role="status" className="ml-auto text-small text-muted tabular-nums">
            {first ? customersText(first.total) : null}
          </p>
          {customers.length > 0 && !listed ? (
            <p className="w-full text-small text-muted">
              Upload a list of customers to see their revenue, plan and region here.
            </p>
          ) : null}
        </div>
      )}
      {first?.complete === false ? (
        <p className="mb-3 text-small text-muted">
          The customers of older messages are being found and appear here soon.
        </p>
      ) : null}
      {list.isPending ? (
        <TableSkeleton label="Customers" columns={['Customer', 'Messages', 'Revenue']} />
      ) : missing ? (
        <EmptyState title="This list is not available">This server does not support customers.</EmptyState>
      ) : list.isError && !list.data ? (
        <EmptyState
          title="The customers could not be loaded"
          actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
        >
          {list.error.message}
        </EmptyState>
      ) : customers.length === 0 && words !== '' ? (
        <EmptyState title="Nothing found">No customer’s name or domain contains “{words}”.</EmptyState>
      ) : customers.length === 0 ? (
        <EmptyState
          icon={<Building2 size={24} aria-hidden />}
          title="No customers are known yet"
          actions={
            <Link to="/import" className={buttonClass()}>
              Import feedback
            </Link>
          }
        >
          They come from the authors’ e-mail addresses, a column of a file, or a ticket’s organisation. Public mail
          domains, such as gmail.com, are ignored.
        </EmptyState>
      ) : (
        <>
          <div className="overflow-hidden rounded border border-line bg-surface">
            <table className="w-full table-fixed border-collapse" aria-busy={list.isPlaceholderData || undefined}>
              <HeadRow columns={listed ? [...COLUMNS, ...LISTED_COLUMNS] : COLUMNS} />
              <tbody>
                {customers.map((one) => (
                  <CustomerRow
                    key={one.id}
                    customer={one}
                    listed={listed}
                    isOpen={one.id === opened}
                    onOpen={(id) => setParts({ customer: id })}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {list.hasNextPage ? (
            <Button className="mt-3" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
          ) : null}
        </>
      )}
      {opened ? <CustomerPanel key={opened} id={opened} onClose={() => setParts({ customer: '' })} /> : null}
      {uploading ? <UploadDialog onClose={() => setUploading(false)} /> : null}
    </Page>
  )
}

type CustomerRowProps = { customer: Customer; listed: boolean; isOpen: boolean; onOpen: (id: string) => void }

function CustomerRow({ customer, listed, isOpen, onOpen }: CustomerRowProps) {
  const { id, name, domain, plan, revenue, region, messages, insights } = customer
  return (
    <tr
      data-keeps-panel
      onClick={() => onOpen(id)}
      className={`h-9 cursor-pointer border-b border-line last:border-0 hover:bg-hover ${isOpen ? 'bg-selected' : ''}`}
    >
      <td className="px-4">
        <span className="flex min-w-0 items-baseline gap-2">
          <button
            type="button"
            aria-haspopup="dialog"
            dir="auto"
            title={name}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(id)
            }}
            className="min-w-0 truncate rounded-small font-medium"
          >
            {name}
          </button>
          {domain && domain !== name ? (
            <span className="hidden truncate text-small text-muted sm:inline">{domain}</span>
          ) : null}
        </span>
      </td>
      <td className="px-2 pr-4 text-right tabular-nums">{messages}</td>
      <td className="hidden px-2 pr-4 text-right tabular-nums sm:table-cell">{insights}</td>
      {listed ? (
        <>
          <td className="px-2 text-right tabular-nums" title={revenue === null ? undefined : fullAmount(revenue)}>
            {revenue === null ? <Unknown /> : shortAmount(revenue)}
          </td>
          <td dir="auto" className="hidden truncate px-2 pl-6 md:table-cell">
            {plan ?? <Unknown />}
          </td>
          <td dir="auto" className="hidden truncate px-2 md:table-cell">
            {region ?? <Unknown />}
          </td>
        </>
      ) : null}
    </tr>
  )
}

function Unknown() {
  return <span className="text-muted">–</span>
}

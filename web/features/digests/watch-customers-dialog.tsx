import { type Customer, getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { CallError, call } from '../client/index.ts'
import { WatchButtons, WatchList } from './watch-list.tsx'

const SHOWN = 50
const PAUSE_MS = 200

type WatchCustomersDialogProps = {
  watched: readonly string[]
  onClose: () => void
  onSave: (customers: string[]) => void
}

/** The customers whose new insights cause an alert: the watched ones, and others found by name. */
export function WatchCustomersDialog({ watched, onClose, onSave }: WatchCustomersDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(watched))
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim(), PAUSE_MS)
  const known = useQuery({
    queryKey: ['watched-customers', watched],
    queryFn: () => Promise.all(watched.map(readCustomer)),
    gcTime: 0,
    retry: false,
  })
  const found = useQuery({
    queryKey: ['customers-to-watch', words],
    queryFn: () => call(listCustomers, { query: { words: words || undefined, limit: SHOWN } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const first = (known.data ?? []).filter((one) => one !== null)
  const others = (found.data?.customers ?? []).filter(({ id }) => !first.some((one) => one.id === id))
  const error = known.error ?? found.error
  // Deleted ones are no longer watched.
  const gone = new Set(watched.filter((id) => !first.some((one) => one.id === id)))
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Watch customers"
      description="You get an alert when one of them mentions a new insight."
    >
      {error ? <p role="alert">The customers could not be loaded. {error.message}</p> : null}
      {known.data && found.data ? (
        <>
          <Field label="Find a customer">
            {(ids) => (
              <Input
                {...ids}
                type="search"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                data-begins
              />
            )}
          </Field>
          {first.length + others.length === 0 ? <p className="mt-3 text-muted">No customers match.</p> : null}
          <div className="mt-3">
            <WatchList offered={[...first, ...others]} chosen={chosen} onChange={setChosen} />
          </div>
        </>
      ) : error ? null : (
        <div className="skeleton h-24" role="status" aria-label="Customers are loading" />
      )}
      <WatchButtons
        onSave={known.data && found.data ? () => onSave([...chosen].filter((id) => !gone.has(id))) : undefined}
        onCancel={onClose}
        onRetry={() => void Promise.all([known.refetch(), found.refetch()])}
        isFetching={known.isFetching || found.isFetching}
      />
    </Dialog>
  )
}

/** A watched customer; null: it no longer exists. */
async function readCustomer(id: string): Promise<Customer | null> {
  try {
    return (await call(getCustomer, { params: { id } })).customer
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}

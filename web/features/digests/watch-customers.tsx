import { type Customer, getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field, Input } from '../../ui/field.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { CallError, call } from '../client/index.ts'
import { WatchDialog } from './watch-dialog.tsx'

const SHOWN = 50

type WatchCustomersProps = {
  watched: readonly string[]
  onClose: () => void
  onSave: (customers: string[]) => void
}

/** The customers whose new insights cause an alert: the watched ones, and others found by name. */
export function WatchCustomers({ watched, onClose, onSave }: WatchCustomersProps) {
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim())
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
  return (
    <WatchDialog
      what="customers"
      description="You get an alert when one of them mentions a new insight."
      watched={watched}
      offered={known.data && found.data ? [...first, ...others] : undefined}
      isGone={(id) => watched.includes(id) && !first.some((one) => one.id === id)}
      empty="No customers match."
      search={
        <Field label="Find a customer">
          {(ids) => (
            <Input {...ids} type="search" value={typed} onChange={({ target }) => setTyped(target.value)} data-begins />
          )}
        </Field>
      }
      error={known.error ?? found.error}
      isFetching={known.isFetching || found.isFetching}
      onRetry={() => void Promise.all([known.refetch(), found.refetch()])}
      onSave={onSave}
      onClose={onClose}
    />
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

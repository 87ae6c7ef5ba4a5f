import { type Customer, getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { MAX_WATCHED } from '@groundswell/contract/digests.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { CallError, call } from '../client/index.ts'

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
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
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
          <ul className="mt-3 flex flex-col gap-1">
            {[...first, ...others].map(({ id, name, insights }) => (
              <li key={id}>
                <label className="flex min-h-6 items-center gap-2">
                  <input
                    type="checkbox"
                    className="size-4 shrink-0 accent-accent"
                    checked={chosen.has(id)}
                    disabled={!chosen.has(id) && chosen.size >= MAX_WATCHED}
                    onChange={({ target }) => toggle(id, target.checked)}
                  />
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {name}
                  </span>
                  <span className="text-muted tabular-nums">{insights}</span>
                </label>
              </li>
            ))}
          </ul>
        </>
      ) : error ? null : (
        <div className="skeleton h-24" role="status" aria-label="Customers are loading" />
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {known.data && found.data ? (
          <Button look="primary" onClick={() => onSave([...chosen].filter((id) => !gone.has(id)))}>
            Save
          </Button>
        ) : null}
      </div>
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

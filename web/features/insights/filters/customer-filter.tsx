import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useState } from 'react'
import { Combobox } from '../../../ui/overlays/combobox.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { useCustomer, useCustomers } from '../../customers/index.ts'

const ANY = { value: '', label: 'Any customer' }

type CustomerFilterProps = { chosen: string; onChoose: (customer: string) => void }

/** Shows only the insights that one customer mentioned: any customer is found by a part of the name, and the largest are offered first. */
export function CustomerFilter({ chosen, onChoose }: CustomerFilterProps) {
  const [open, setOpen] = useState(false)
  const { data } = useCustomer(chosen)
  const name = chosen === '' ? ANY.label : (data?.customer.name ?? 'One customer')
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={`Customer: ${name}`}
        title={name}
        className={clsx(
          'inline-flex h-7 max-w-48 shrink-0 items-center gap-1.5 rounded border px-2 text-small font-medium whitespace-nowrap',
          chosen === ''
            ? 'border-line bg-surface text-muted hover:bg-hover hover:text-text'
            : 'border-accent bg-accent-soft text-accent-strong',
        )}
      >
        <span dir="auto" className="truncate">
          {name}
        </span>
        <ChevronDown size={12} aria-hidden className="shrink-0" />
      </Popover.Trigger>
      {open ? (
        <Popover.Portal container={document.querySelector('main')}>
          <Popover.Content
            aria-label="Customer"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            data-typing
            className="pop z-50 w-64 rounded border border-line bg-raised p-2 shadow-raised"
          >
            <CustomerSearch
              chosen={chosen}
              onChoose={(customer) => {
                setOpen(false)
                onChoose(customer)
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      ) : null}
    </Popover.Root>
  )
}

function CustomerSearch({ chosen, onChoose }: CustomerFilterProps) {
  const id = useId()
  const [text, setText] = useState('')
  const words = useSettled(text.trim())
  const { data, isError } = useCustomers(words, 'messages')
  const page = data?.pages[0]
  const found = (page?.customers ?? []).map((one) => ({ value: one.id, label: one.name }))
  const left = (page?.total ?? 0) - found.length
  return (
    <Combobox
      inline
      id={id}
      name="Customers"
      placeholder="Search customers"
      text={text}
      onText={setText}
      options={chosen !== '' && words === '' ? [ANY, ...found] : found}
      note={
        isError
          ? 'The customers could not be loaded.'
          : !page
            ? 'Searching…'
            : found.length === 0
              ? 'No customer has this name.'
              : left > 0
                ? `${left.toLocaleString()} more: type a part of the name`
                : null
      }
      onChoose={({ value }) => onChoose(value)}
    />
  )
}

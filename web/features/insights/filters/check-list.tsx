import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useId, useState } from 'react'
import { Input } from '../../../ui/field.tsx'

/** With more options there is a search box. */
const SEARCHED_FROM = 8

type CheckOption = { value: string; label: string; note?: string }

type CheckListProps = {
  label: string
  icon?: ReactNode
  /** Called when it opens: nothing is counted before. */
  options: () => readonly CheckOption[]
  isChosen: (value: string) => boolean
  onChoose: (value: string, chosen: boolean) => void
  chosen?: number
}

/** A button that opens a list of checkboxes. The list stays open until it is left. */
export function CheckList({ label, icon, options, isChosen, onChoose, chosen = 0 }: CheckListProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className={clsx(
          'inline-flex h-7 shrink-0 items-center gap-1.5 rounded border px-2 text-small font-medium whitespace-nowrap',
          chosen > 0
            ? 'border-accent bg-accent-soft text-accent-strong'
            : 'border-line bg-surface text-muted hover:bg-hover hover:text-text',
        )}
      >
        {icon}
        {label}
        {chosen > 0 ? <span className="tabular-nums">{chosen}</span> : null}
        <ChevronDown size={12} aria-hidden />
      </Popover.Trigger>
      {open ? (
        <Popover.Portal container={document.querySelector('main')}>
          <Popover.Content
            aria-label={label}
            align="start"
            sideOffset={4}
            collisionPadding={8}
            data-typing
            className="pop z-50 w-64 rounded border border-line bg-raised shadow-raised"
          >
            <CheckOptions label={label} options={options} isChosen={isChosen} onChoose={onChoose} />
          </Popover.Content>
        </Popover.Portal>
      ) : null}
    </Popover.Root>
  )
}

type CheckOptionsProps = Pick<CheckListProps, 'label' | 'options' | 'isChosen' | 'onChoose'>

/** A list of checkboxes, with a search box where there are many. */
export function CheckOptions({ label, options, isChosen, onChoose }: CheckOptionsProps) {
  const id = useId()
  // Counted once when it opens: a list must not change under the pointer.
  const [list] = useState(options)
  const [words, setWords] = useState('')
  // A checkbox changes immediately; the list behind it may take a moment.
  const [ticked, setTicked] = useState<Readonly<Record<string, boolean>>>({})
  const found = list.filter((one) => one.label.toLowerCase().includes(words.trim().toLowerCase()))
  return (
    <>
      {list.length > SEARCHED_FROM ? (
        <div className="border-b border-line p-2">
          <Input
            type="search"
            aria-label={`Search in ${label}`}
            placeholder="Search"
            onChange={(event) => setWords(event.target.value)}
          />
        </div>
      ) : null}
      <ul className="max-h-72 overflow-y-auto p-1">
        {found.map(({ value, label: name, note }, index) => (
          <li key={value}>
            <label
              htmlFor={`${id}-${index}`}
              className="flex min-h-8 items-center gap-2 rounded-small px-2 py-1 hover:bg-hover"
            >
              <input
                id={`${id}-${index}`}
                type="checkbox"
                checked={ticked[value] ?? isChosen(value)}
                onChange={(event) => {
                  setTicked({ ...ticked, [value]: event.target.checked })
                  onChoose(value, event.target.checked)
                }}
                className="size-3.5 shrink-0 accent-(--accent)"
              />
              <span dir="auto" className="min-w-0 flex-1 truncate" title={name}>
                {name}
              </span>
              {note ? <span className="text-small text-muted tabular-nums">{note}</span> : null}
            </label>
          </li>
        ))}
        {found.length === 0 ? <li className="px-2 py-1.5 text-muted">Nothing to choose from.</li> : null}
      </ul>
    </>
  )
}

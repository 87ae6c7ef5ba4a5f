import clsx from 'clsx'
import { type KeyboardEvent, useId, useState } from 'react'
import { Input } from '../field.tsx'

type ComboboxOption = { value: string; label: string; hint?: string | undefined }

type ComboboxProps = {
  id: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean
  placeholder: string
  /** What the list is called. */
  name: string
  text: string
  onText: (text: string) => void
  /** What the text finds. */
  options: readonly ComboboxOption[]
  /** Shown instead of options, such as that nothing was found or why. */
  note: string | null
  onChoose: (option: ComboboxOption) => void
  /** The list is always open, below the input, as in a popover that holds nothing else. */
  inline?: boolean
}

/** A text input with a list of matches for its text: arrow keys, Enter and Escape as in the ARIA pattern. */
export function Combobox(props: ComboboxProps) {
  const { text, onText, options, note, onChoose, placeholder, name, inline = false, ...ids } = props
  const listId = useId()
  const [opened, setOpen] = useState(false)
  const open = opened || inline
  const [active, setActive] = useState(-1)
  const current = active < options.length ? active : -1

  function choose(option: ComboboxOption) {
    onChoose(option)
    setOpen(false)
    setActive(-1)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (options.length > 0)
        setActive((current + step + options.length + (current < 0 && step < 0 ? 1 : 0)) % options.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const option = options[current]
      if (open && option) choose(option)
    } else if (event.key === 'Escape' && opened) {
      // `Panel` leaves this key to an open list.
      event.preventDefault()
      setOpen(false)
    }
  }

  return (
    <div className="relative">
      <Input
        {...ids}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && current >= 0 ? `${listId}-${current}` : undefined}
        aria-label={inline ? name : undefined}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.currentTarget.value)
          setOpen(true)
          setActive(-1)
        }}
        // Not on focus alone: the list would cover what follows for everyone who only passes by.
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {open ? (
        <div
          className={clsx(
            'max-h-60 overflow-y-auto py-1',
            !inline && 'absolute inset-x-0 top-full z-10 mt-1 rounded border border-line bg-raised shadow-raised',
          )}
        >
          <ul id={listId} role="listbox" aria-label={name}>
            {options.map((option, index) => (
              <li
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === current}
                // The input keeps the focus, so that the list is not closed before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
                onPointerEnter={() => setActive(index)}
                className={clsx('flex items-center gap-2 px-3 py-1.5', index === current && 'bg-hover')}
              >
                <span className="min-w-0 flex-1 truncate">{option.label}</span>
                {option.hint ? <span className="text-small text-muted">{option.hint}</span> : null}
              </li>
            ))}
          </ul>
          {note ? <p className="px-3 py-1.5 text-muted">{note}</p> : null}
        </div>
      ) : null}
      <span role="status" className="sr-only">
        {open ? (note ?? `${options.length} found`) : ''}
      </span>
    </div>
  )
}

import {
  type Attribute,
  type ChosenAttributes,
  listAttributes,
  readAttributes,
  writeAttributes,
} from '@groundswell/contract/insights/attributes.ts'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../client/index.ts'
import { CheckOptions } from './check-list.tsx'

export { readSaidBy } from './said-by.ts'

/** How often attributes are reloaded while those of older messages are being read. */
const READING_MS = 5_000

const counts = new Intl.NumberFormat()

type AttributeFilterProps = {
  /** As `readAttributes` reads it. */
  chosen: string
  /** Makes the new text from the one that is there when it changes. */
  onChoose: (make: (chosen: string) => string) => void
  /** What the attributes are read again with. */
  of?: unknown
  /** As tall as the fields of a form. */
  tall?: boolean
}

/** The attributes that can be filtered by, such as a rating or a plan. */
export const loadAttributes = () => call(listAttributes, {})

/** The same, read again when `of` is another value. */
function useAttributes(of: unknown) {
  const found = useQuery({
    queryKey: ['attributes'],
    queryFn: loadAttributes,
    refetchInterval: ({ state }) => (state.data?.complete === false ? READING_MS : false),
  })
  const { refetch } = found
  const readWith = useRef(of)
  useEffect(() => {
    if (readWith.current === of) return
    readWith.current = of
    void refetch()
  }, [of, refetch])
  return found
}

/** Shows only what messages with chosen values of their attributes say. Nothing where no message has any. */
export function AttributeFilter({ chosen: text, onChoose, of, tall = false }: AttributeFilterProps) {
  const [open, setOpen] = useState(false)
  const { data } = useAttributes(of)
  const chosen = readAttributes(text)
  const attributes = withChosen(data?.attributes ?? [], chosen)
  if (attributes.length === 0) return null
  const words = wordsOf(chosen)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={words === '' ? 'Attributes' : `Attributes: ${words}`}
        title={words || undefined}
        className={clsx(
          'inline-flex max-w-48 shrink-0 items-center gap-1.5 rounded border font-medium whitespace-nowrap',
          tall ? 'h-8 px-3' : 'h-7 px-2 text-small',
          words === ''
            ? 'border-line bg-surface text-muted hover:bg-hover hover:text-text'
            : 'border-accent bg-accent-soft text-accent-strong',
        )}
      >
        <span dir="auto" className="truncate">
          {words || 'Attributes'}
        </span>
        <ChevronDown size={12} aria-hidden className="shrink-0" />
      </Popover.Trigger>
      {open ? (
        <Popover.Portal container={document.querySelector('main')}>
          <Popover.Content
            aria-label="Attributes"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            data-typing
            className="pop z-50 w-64 rounded border border-line bg-raised shadow-raised"
          >
            <AttributeChoice attributes={attributes} chosen={chosen} onChoose={onChoose} />
          </Popover.Content>
        </Popover.Portal>
      ) : null}
    </Popover.Root>
  )
}

type AttributeChoiceProps = {
  attributes: readonly Attribute[]
  chosen: ChosenAttributes
  onChoose: AttributeFilterProps['onChoose']
}

/** First the name, then its values; where there is one name, its values. */
function AttributeChoice({ attributes, chosen, onChoose }: AttributeChoiceProps) {
  const [only] = attributes
  const [name, setName] = useState(attributes.length === 1 && only ? only.name : null)
  const [left, setLeft] = useState<string | null>(null)
  const current = attributes.find((one) => one.name === name)
  if (!current) {
    return (
      <ul className="max-h-80 overflow-y-auto p-1">
        {attributes.map((one) => (
          <li key={one.name}>
            <button
              type="button"
              // biome-ignore lint/a11y/noAutofocus: focus returns to the name whose values were shown
              autoFocus={one.name === left}
              onClick={() => setName(one.name)}
              className="flex min-h-8 w-full items-center gap-2 rounded-small px-2 py-1 text-left hover:bg-hover"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate" title={one.name}>
                {one.name}
              </span>
              <span dir="auto" className="max-w-32 truncate text-small text-accent-strong">
                {valuesOf(chosen, one.name).join(', ')}
              </span>
              <ChevronRight size={12} aria-hidden className="shrink-0 text-muted" />
            </button>
          </li>
        ))}
      </ul>
    )
  }
  const isChosen = (value: string) => valuesOf(chosen, current.name).some((one) => isSame(one, value))
  return (
    <>
      <div className="flex h-9 items-center border-b border-line px-1 text-small font-medium">
        {attributes.length === 1 ? (
          <span dir="auto" className="truncate px-2">
            {current.name}
          </span>
        ) : (
          <button
            type="button"
            // biome-ignore lint/a11y/noAutofocus: it replaces the button that was pressed
            autoFocus
            aria-label={`${current.name}: back to all attributes`}
            onClick={() => {
              setLeft(name)
              setName(null)
            }}
            className="flex h-7 min-w-0 items-center gap-1 rounded-small px-1 hover:bg-hover"
          >
            <ChevronRight size={14} aria-hidden className="shrink-0 rotate-180 text-muted" />
            <span dir="auto" className="truncate">
              {current.name}
            </span>
          </button>
        )}
      </div>
      <CheckOptions
        label={current.name}
        options={() =>
          current.values.map(({ value, messages }) => ({ value, label: value, note: counts.format(messages) }))
        }
        isChosen={isChosen}
        onChoose={(value, add) => onChoose((text) => withValue(text, current.name, value, add))}
      />
    </>
  )
}

const keyOf = (text: string) => text.normalize('NFC').trim().toLowerCase()

/** Whether two names or values are one: they are compared without case. */
const isSame = (a: string, b: string) => keyOf(a) === keyOf(b)

function valuesOf(chosen: ChosenAttributes, name: string): string[] {
  return [...chosen].flatMap(([one, values]) => (isSame(one, name) ? values : []))
}

/** Chosen values with one more or without one. */
function withValue(text: string, name: string, value: string, add: boolean): string {
  const chosen = readAttributes(text)
  const others = valuesOf(chosen, name).filter((one) => !isSame(one, value))
  const rest = [...chosen].filter(([one]) => !isSame(one, name))
  return writeAttributes(new Map([...rest, [name, add ? [...others, value] : others]]))
}

/** The attributes with what was chosen of them and is not among them any more, so that it can be left again. */
function withChosen(attributes: readonly Attribute[], chosen: ChosenAttributes): Attribute[] {
  const known = attributes.map((one) => {
    const left = valuesOf(chosen, one.name).filter((value) => !one.values.some((has) => isSame(has.value, value)))
    return left.length === 0
      ? one
      : { ...one, values: [...one.values, ...left.map((value) => ({ value, messages: 0 }))] }
  })
  const others = [...chosen].filter(([name]) => !attributes.some((one) => isSame(one.name, name)))
  return [
    ...known,
    ...others.map(([name, values]) => ({ name, messages: 0, values: values.map((value) => ({ value, messages: 0 })) })),
  ]
}

/** The chosen values as text: `rating: 1, 2 · plan: Pro`. */
function wordsOf(chosen: ChosenAttributes): string {
  return [...chosen].map(([name, values]) => `${name}: ${values.join(', ')}`).join(' · ')
}

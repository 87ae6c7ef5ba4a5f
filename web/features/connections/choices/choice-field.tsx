import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { Combobox } from '../../../ui/overlays/combobox.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import type { ChoiceDraft } from './choice-draft.ts'
import { useChoiceSearch } from './choices-queries.ts'

/** Up to this many options need no button that selects all. */
const FEW = 2

type Option = ChoiceView['options'][number]

type ChoiceFieldProps = {
  tile: string
  /** The provider's name. */
  provider: string
  choice: ChoiceView
  /** What the options were requested with. */
  draft: ChoiceDraft
  values: readonly string[]
  error: string | undefined
  /** The label of a value that a search found. */
  nameOf: (value: string) => string | undefined
  onFound: (option: Option, text: string) => void
  onChange: (values: readonly string[]) => void
  /** Requests the options again. */
  onAgain: () => void
}

/** The control of one choice, by its kind. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choice, values, error, onChange } = props
  const { kind = 'select', single, searchable } = choice
  const label = choice.required ? `${choice.label} (required)` : choice.label
  if (kind !== 'select') {
    return (
      <Field label={label} help={choice.help} error={error}>
        {(ids) => (
          <Input
            {...ids}
            type={kind}
            autoComplete="off"
            maxLength={kind === 'text' ? 500 : undefined}
            aria-required={choice.required}
            value={values[0] ?? ''}
            onChange={({ currentTarget: { value } }) => onChange(value === '' ? [] : [value])}
          />
        )}
      </Field>
    )
  }
  if (searchable) return <SearchField {...props} label={label} />
  const options = withUnavailable(choice, values)
  if (options.length === 0) return <NoOptions {...props} label={label} />
  if (!single) return <ListField {...props} label={label} options={options} />
  return (
    <Field label={label} help={choice.help} error={error}>
      {(ids) => (
        <Select
          {...ids}
          className="w-full"
          aria-required={choice.required}
          value={values[0] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? [] : [value])}
        >
          <option value="">{choice.required ? 'Choose…' : 'None'}</option>
          {options.map(({ value, label: name, hint }) => (
            <option key={value} value={value}>
              {hint ? `${name} (${withinBrackets(hint)})` : name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** A hint as a part of a label. A key such as `ENG` stays as it is. */
const withinBrackets = (hint: string) => (hint === hint.toUpperCase() ? hint : hint.toLowerCase())

/** The options, and chosen values that the provider no longer offers, so that they can be removed. */
function withUnavailable({ options, chosen_options = [] }: ChoiceView, values: readonly string[]): Option[] {
  const lost = chosen_options.filter(
    ({ value }) => values.includes(value) && !options.some((option) => option.value === value),
  )
  return [...options, ...lost]
}

function NoOptions({ label, choice, provider, onAgain }: ChoiceFieldProps & { label: string }) {
  if (!choice.required) {
    return (
      <section aria-label={choice.label}>
        <p className="text-small font-medium text-muted">{label}</p>
        <p className="mt-1 text-muted">{provider} lists none.</p>
      </section>
    )
  }
  return (
    <section aria-label={choice.label}>
      <p className="text-small font-medium text-muted">{label}</p>
      <p className="mt-1">
        Nothing found. {provider} lists none that this account can see: create one there, or check its permissions.
      </p>
      <Button className="mt-2" onClick={onAgain}>
        Try again
      </Button>
    </section>
  )
}

type ListFieldProps = ChoiceFieldProps & { label: string; options: readonly Option[] }

/** Checkboxes for several values. */
function ListField({ label, choice, values, error, options, onChange }: ListFieldProps) {
  const id = useId()
  const note = error ?? choice.help
  const flip = (value: string, on: boolean) => onChange(on ? [...values, value] : values.filter((one) => one !== value))
  return (
    <fieldset aria-describedby={`${id}-note`}>
      <legend className="text-small font-medium text-muted">{label}</legend>
      <div className="mt-1 max-h-72 overflow-y-auto rounded border border-line px-3 py-2">
        {options.map(({ value, label: name, hint }) => (
          <label key={value} className="flex items-center gap-2 py-1">
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={(event) => flip(value, event.currentTarget.checked)}
              className="size-4 accent-accent"
            />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {hint ? <span className="text-small text-muted">{hint}</span> : null}
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={`mt-1 text-small ${error ? 'text-bad' : 'text-muted'}`}>
        {note}
      </p>
      {options.length > FEW ? (
        <div className="mt-2 flex gap-2">
          <Button
            aria-label={`${choice.label}: all`}
            onClick={() => onChange(choice.options.map(({ value }) => value))}
          >
            All
          </Button>
          <Button aria-label={`${choice.label}: none`} onClick={() => onChange([])}>
            None
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}

/** Chosen values, each with a button to remove it, and a search for more. */
function SearchField(props: ChoiceFieldProps & { label: string }) {
  const { tile, provider, label, choice, draft, values, error, nameOf, onFound, onChange } = props
  const [text, setText] = useState('')
  const settled = useSettled(text.trim())
  const search = useChoiceSearch(tile, choice.field, draft, settled)
  const typed = text.trim() !== ''
  const isWaiting = typed && (settled !== text.trim() || search.isFetching)
  const found = typed ? (isWaiting ? [] : (search.data ?? [])) : choice.options
  const options = found.filter(({ value }) => !values.includes(value))
  const labelOf = (value: string) =>
    [...choice.options, ...(choice.chosen_options ?? [])].find((option) => option.value === value)?.label ??
    nameOf(value) ??
    value

  function choose(option: Option) {
    onFound(option, text.trim())
    onChange(choice.single ? [option.value] : [...values, option.value])
    setText('')
  }

  return (
    <div className="flex flex-col gap-1">
      <Field label={label} help={choice.help} error={error}>
        {(ids) => (
          <Combobox
            {...ids}
            placeholder="Search"
            name={choice.label}
            text={text}
            onText={setText}
            options={options}
            note={noteOf(isWaiting, search.error?.message, options.length, provider)}
            onChoose={choose}
          />
        )}
      </Field>
      {values.length > 0 ? (
        <ul aria-label={`Chosen: ${choice.label}`} className="flex flex-wrap gap-1.5">
          {values.map((value) => (
            <li key={value} className="flex h-7 max-w-full items-center rounded bg-hover pl-2">
              <span className="truncate">{labelOf(value)}</span>
              <IconButton
                label={`Remove ${labelOf(value)}`}
                className="size-7"
                onClick={() => onChange(values.filter((one) => one !== value))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function noteOf(isWaiting: boolean, failure: string | undefined, count: number, provider: string): string | null {
  if (isWaiting) return `Searching ${provider}…`
  if (failure !== undefined) return failure
  return count === 0 ? 'Nothing found' : null
}

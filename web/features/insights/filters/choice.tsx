import { ChevronDown } from 'lucide-react'

type ChoiceProps = {
  label: string
  /** The label when nothing is chosen. */
  any: string
  value: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

/** A filter with a single choice. A value in the address that is not among the options stays. */
export function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  const known = value === '' || options.some((one) => one.value === value)
  return (
    <span className="relative inline-flex shrink-0">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className={`h-7 field-sizing-content appearance-none rounded border pr-6 pl-2 text-small! font-medium ${
          value === '' ? 'border-line bg-surface text-muted' : 'border-accent bg-accent-soft text-accent-strong'
        }`}
      >
        <option value="">{any}</option>
        {(known ? options : [...options, { value, label: value }]).map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={12}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-muted"
      />
    </span>
  )
}

import clsx from 'clsx'
import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  help?: ReactNode
  checked: boolean
  disabled?: boolean
  /** As large as the text of other lines of a card; among fields it is as small as their help. */
  large?: boolean
  onChange: (checked: boolean) => void
}

/** A switch as a line of a settings card. */
export function SwitchRow(props: SwitchProps) {
  return (
    <div className="border-b border-line px-5 py-3.5 last:border-0">
      <Switch {...props} large />
    </div>
  )
}

/** A switch with its label at the left. */
export function Switch({ label, help, checked, disabled = false, large = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {help ? (
          <p id={`${id}-help`} className={clsx('text-muted', !large && 'text-small')}>
            {help}
          </p>
        ) : null}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 h-5 w-9 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  )
}

import type { GeneratorOptions } from '@groundswell/contract/evaluation/comparisons.ts'
import clsx from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { Button } from '../../ui/button.tsx'
import { OPTION_GROUPS } from './comparison-view.ts'

type GeneratorMenuProps = {
  /** Null before they are loaded. */
  options: GeneratorOptions | null
  ticked: GeneratorOptions
  disabled: boolean
  onToggle: (group: keyof GeneratorOptions, value: string | number) => void
}

/** The generators to compare, by their parameters: seven groups of checkboxes. It stays open while options are selected. */
export function GeneratorMenu({ options, ticked, disabled, onToggle }: GeneratorMenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        <Button disabled={disabled || options === null} className="w-full justify-between sm:w-auto">
          {options === null ? 'Load a directory first' : 'Generator options'}
          <ChevronDown size={14} aria-hidden className="text-muted" />
        </Button>
      </Radix.Trigger>
      <Radix.Portal container={document.querySelector('main')}>
        <Radix.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="pop z-50 max-h-[min(28rem,var(--radix-dropdown-menu-content-available-height))] w-[min(22rem,calc(100vw-1rem))] overflow-y-auto rounded border border-line bg-raised p-1 shadow-raised"
        >
          {options === null
            ? null
            : OPTION_GROUPS.map(([group, label]) => (
                <Group
                  key={group}
                  label={label}
                  values={options[group]}
                  ticked={ticked[group]}
                  onToggle={(value) => onToggle(group, value)}
                />
              ))}
          <p className="border-t border-line px-2 pt-2 pb-1 text-small text-muted">
            A group with nothing selected is not filtered.
          </p>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type GroupProps = {
  label: string
  values: readonly (string | number)[]
  ticked: readonly (string | number)[]
  onToggle: (value: string | number) => void
}

function Group({ label, values, ticked, onToggle }: GroupProps) {
  return (
    <Radix.Group aria-label={label} className="pb-1">
      <Radix.Label className="px-2 pt-2 pb-1 text-small font-medium text-muted">{label}</Radix.Label>
      {values.length === 0 ? <p className="px-2 pb-1 text-muted">None</p> : null}
      {values.map((value) => {
        const checked = ticked.includes(value)
        return (
          <Radix.CheckboxItem
            key={`${typeof value} ${value}`}
            checked={checked}
            onCheckedChange={() => onToggle(value)}
            onSelect={(event) => event.preventDefault()}
            textValue={String(value)}
            title={String(value)}
            className="flex cursor-pointer items-start gap-2 rounded-small px-2 py-1.5 outline-none select-none data-[highlighted]:bg-hover"
          >
            <span
              aria-hidden
              className={clsx(
                'mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-small border',
                checked ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
              )}
            >
              {checked ? <Check size={12} strokeWidth={3} /> : null}
            </span>
            <span dir="auto" className="line-clamp-3 min-w-0 break-words">
              {value === '' ? '(empty)' : value}
            </span>
          </Radix.CheckboxItem>
        )
      })}
    </Radix.Group>
  )
}

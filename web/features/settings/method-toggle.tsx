import { useId } from 'react'
import { Badge } from '../../ui/badge.tsx'

/** How insights are pushed. Only Auto is available for now. */
export function MethodToggle({ value }: { value: 'auto' }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <span id={id} className="text-small font-medium text-muted">
        Method
      </span>
      <div role="radiogroup" aria-labelledby={id} className="inline-flex gap-0.5 self-start rounded bg-hover p-0.5">
        <button
          type="button"
          role="radio"
          aria-checked={value === 'auto'}
          className="h-7 rounded-small bg-surface px-3 font-medium shadow-[0_0_0_1px_var(--line)]"
        >
          Auto
        </button>
        <button
          type="button"
          role="radio"
          aria-checked={false}
          disabled
          className="inline-flex h-7 items-center gap-2 rounded-small px-3 text-muted"
        >
          Manual
          <Badge>Coming soon</Badge>
        </button>
      </div>
    </div>
  )
}

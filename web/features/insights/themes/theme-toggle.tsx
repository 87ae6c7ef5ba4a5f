import clsx from 'clsx'
import { Layers } from 'lucide-react'
import { useThemes } from './themes-query.ts'

/** Turns grouping by theme on or off. Shows nothing while there are no themes. */
export function ThemeToggle({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const themes = useThemes()
  if (!on && !themes?.length) return null
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label="Group by theme"
      title="Group by theme"
      onClick={() => onChange(!on)}
      className={clsx(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded border px-2 text-small font-medium whitespace-nowrap',
        on
          ? 'border-accent bg-accent-soft text-accent-strong'
          : 'border-line bg-surface text-muted hover:bg-hover hover:text-text',
      )}
    >
      <Layers size={14} aria-hidden />
      Theme
    </button>
  )
}

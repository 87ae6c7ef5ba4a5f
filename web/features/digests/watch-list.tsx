import { MAX_WATCHED } from '@groundswell/contract/digests.ts'
import { Button } from '../../ui/button.tsx'

type WatchListProps<Id> = {
  offered: readonly { id: Id; name: string; insights: number }[]
  chosen: ReadonlySet<Id>
  onChange: (chosen: ReadonlySet<Id>) => void
}

/** What can be watched: its name, the number of its insights, and a checkbox, which is disabled once the limit is reached. */
export function WatchList<Id extends number | string>({ offered, chosen, onChange }: WatchListProps<Id>) {
  const toggle = (id: Id, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <ul className="flex flex-col gap-1">
      {offered.map(({ id, name, insights }) => (
        <li key={id}>
          <label className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.has(id)}
              disabled={!chosen.has(id) && chosen.size >= MAX_WATCHED}
              onChange={({ target }) => toggle(id, target.checked)}
            />
            <span dir="auto" title={name} className="min-w-0 flex-1 truncate">
              {name}
            </span>
            <span className="text-muted tabular-nums">{insights}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}

type WatchButtonsProps = {
  /** Undefined while there is nothing to save. */
  onSave: (() => void) | undefined
  onCancel: () => void
  onRetry: () => void
  isFetching: boolean
}

/** The end of a dialog with such a list: Save, or Try again while it could not be loaded. */
export function WatchButtons({ onSave, onCancel, onRetry, isFetching }: WatchButtonsProps) {
  return (
    <div className="mt-4 flex justify-end gap-2">
      <Button onClick={onCancel}>Cancel</Button>
      {onSave ? (
        <Button look="primary" onClick={onSave}>
          Save
        </Button>
      ) : (
        <Button busy={isFetching} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

import { MAX_WATCHED } from '@groundswell/contract/digests.ts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

type Offer<Id> = { id: Id; name: string; insights: number }

type WatchDialogProps<Id> = {
  /** What is watched, in the plural. */
  what: string
  description: string
  watched: readonly Id[]
  /** What can be watched; undefined: it is not loaded. */
  offered: readonly Offer<Id>[] | undefined
  /** Deleted ones are no longer watched. */
  isGone: (id: Id) => boolean
  /** Said where nothing is offered. */
  empty: string
  search?: ReactNode
  error: Error | null
  isFetching: boolean
  onRetry: () => void
  onSave: (chosen: Id[]) => void
  onClose: () => void
}

/** What a person is alerted to, chosen from a list. */
export function WatchDialog<Id extends number | string>({
  what,
  description,
  watched,
  offered,
  isGone,
  empty,
  search,
  error,
  isFetching,
  onRetry,
  onSave,
  onClose,
}: WatchDialogProps<Id>) {
  const [chosen, setChosen] = useState<ReadonlySet<Id>>(() => new Set(watched))
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`Watch ${what}`} description={description}>
      {error ? (
        <p role="alert">
          The {what} could not be loaded. {error.message}
        </p>
      ) : null}
      {offered ? (
        <div className="flex flex-col gap-3">
          {search}
          {offered.length === 0 ? <p className="text-muted">{empty}</p> : null}
          <WatchList offered={offered} chosen={chosen} onChange={setChosen} />
        </div>
      ) : error ? null : (
        <div className="skeleton h-24" role="status" aria-label={`The ${what} are loading`} />
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {offered ? (
          <Button look="primary" onClick={() => onSave([...chosen].filter((id) => !isGone(id)))}>
            Save
          </Button>
        ) : (
          <Button busy={isFetching} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </Dialog>
  )
}

type WatchListProps<Id> = {
  offered: readonly Offer<Id>[]
  chosen: ReadonlySet<Id>
  onChange: (chosen: ReadonlySet<Id>) => void
}

/** What can be watched: its name, the number of its insights, and a checkbox, which is disabled once the limit is reached. */
function WatchList<Id extends number | string>({ offered, chosen, onChange }: WatchListProps<Id>) {
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

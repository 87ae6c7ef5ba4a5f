import { MAX_WATCHED } from '@groundswell/contract/digests.ts'
import { listThemes } from '@groundswell/contract/themes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { call } from '../client/index.ts'

type WatchDialogProps = { watched: readonly number[]; onClose: () => void; onSave: (themes: number[]) => void }

/** The themes whose new insights a person is alerted to. */
export function WatchDialog({ watched, onClose, onSave }: WatchDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(watched))
  const themes = useQuery({
    queryKey: ['themes-to-watch'],
    queryFn: () => call(listThemes, {}),
    gcTime: 0,
    retry: false,
  })
  const found = themes.data?.themes
  const toggle = (id: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  // Deleted ones are no longer watched.
  const save = () => onSave((found ?? []).map((one) => one.theme_id).filter((id) => chosen.has(id)))
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Watch themes"
      description="You get a mail when a new insight belongs to one of them."
    >
      {found ? (
        <>
          {found.length === 0 ? (
            <p className="text-muted">No themes yet. They appear once there are more insights.</p>
          ) : null}
          <ul className="flex flex-col gap-1">
            {found.map(({ theme_id: id, name, issue_numbers }) => (
              <li key={id}>
                <label className="flex min-h-6 items-center gap-2">
                  <input
                    type="checkbox"
                    className="size-4 shrink-0 accent-accent"
                    checked={chosen.has(id)}
                    disabled={!chosen.has(id) && chosen.size >= MAX_WATCHED}
                    onChange={({ target }) => toggle(id, target.checked)}
                  />
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {name}
                  </span>
                  <span className="text-muted tabular-nums">{issue_numbers.length}</span>
                </label>
              </li>
            ))}
          </ul>
        </>
      ) : themes.isPending ? (
        <div className="skeleton h-24" role="status" aria-label="Themes are loading" />
      ) : (
        <p role="alert">The themes could not be loaded. {themes.error?.message}</p>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {found ? (
          <Button look="primary" onClick={save}>
            Save
          </Button>
        ) : (
          <Button busy={themes.isFetching} onClick={() => void themes.refetch()}>
            Try again
          </Button>
        )}
      </div>
    </Dialog>
  )
}

import { listThemes } from '@groundswell/contract/themes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { call } from '../client/index.ts'
import { WatchButtons, WatchList } from './watch-list.tsx'

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
          <WatchList
            offered={found.map(({ theme_id: id, name, issue_numbers }) => ({
              id,
              name,
              insights: issue_numbers.length,
            }))}
            chosen={chosen}
            onChange={setChosen}
          />
        </>
      ) : themes.isPending ? (
        <div className="skeleton h-24" role="status" aria-label="Themes are loading" />
      ) : (
        <p role="alert">The themes could not be loaded. {themes.error?.message}</p>
      )}
      <WatchButtons
        onSave={found ? save : undefined}
        onCancel={onClose}
        onRetry={() => void themes.refetch()}
        isFetching={themes.isFetching}
      />
    </Dialog>
  )
}

import { listThemes } from '@groundswell/contract/insights/themes.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'
import { WatchDialog } from './watch-dialog.tsx'

type WatchThemesProps = { watched: readonly number[]; onClose: () => void; onSave: (themes: number[]) => void }

/** The themes whose new insights a person is alerted to. */
export function WatchThemes({ watched, onClose, onSave }: WatchThemesProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['themes-to-watch'],
    queryFn: () => call(listThemes, {}),
    gcTime: 0,
    retry: false,
  })
  const offered = data?.themes.map(({ theme_id: id, name, issue_numbers }) => ({
    id,
    name,
    insights: issue_numbers.length,
  }))
  return (
    <WatchDialog
      what="themes"
      description="You get a mail when a new insight belongs to one of them."
      watched={watched}
      offered={offered}
      isGone={(id) => offered?.every((one) => one.id !== id) === true}
      empty="No themes yet. They appear once there are more insights."
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onSave={onSave}
      onClose={onClose}
    />
  )
}

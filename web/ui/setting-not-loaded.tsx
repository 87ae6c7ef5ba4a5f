import { Button } from './button.tsx'
import { SettingCard, SettingCardSkeleton, SettingRow } from './setting-row.tsx'

type SettingNotLoadedProps = {
  /** A query without data. */
  query: { isPending: boolean; isFetching: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** Such as `Webhooks are loading`. */
  loading: string
  /** Such as `Webhooks could not be loaded`. */
  failed: string
  /** How many rows the skeleton has. */
  rows: number
}

/** In place of settings: a skeleton while they load, and why they did not, with a button to try again. */
export function SettingNotLoaded({ query, loading, failed, rows }: SettingNotLoadedProps) {
  if (query.isPending) return <SettingCardSkeleton label={loading} rows={rows} />
  return (
    <SettingCard>
      <SettingRow
        title={failed}
        actions={
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error?.message}
      </SettingRow>
    </SettingCard>
  )
}

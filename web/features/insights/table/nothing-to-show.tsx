import { Search, Waves } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const NoInsights = lazyPart(async () => (await import('./no-insights.tsx')).NoInsights)

type NothingToShowProps = {
  /** The list was never loaded. */
  failed: boolean
  /** There are insights, but none passes the filter. */
  filtered: boolean
  words: string
  onRetry: () => void
  onClear: () => void
}

/** The empty states of the table, each with an action. */
export function NothingToShow({ failed, filtered, words, onRetry, onClear }: NothingToShowProps) {
  if (failed) {
    return (
      <EmptyState
        icon={<Waves size={24} aria-hidden />}
        title="No insights to show"
        actions={<Button onClick={onRetry}>Try again</Button>}
      >
        The server did not respond. This page retries automatically.
      </EmptyState>
    )
  }
  if (filtered) {
    return (
      <EmptyState
        icon={<Search size={24} aria-hidden />}
        title="Nothing found"
        actions={<Button onClick={onClear}>Clear search and filters</Button>}
      >
        {words ? `No insights match “${words}” and the filters.` : 'No insights match these filters.'}
      </EmptyState>
    )
  }
  return <NoInsights />
}

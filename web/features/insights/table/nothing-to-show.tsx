import { Waves } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'

const NothingFound = lazyPart(async () => (await import('./nothing-found.tsx')).NothingFound)
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
  if (filtered) return <NothingFound words={words} onClear={onClear} />
  return <NoInsights />
}

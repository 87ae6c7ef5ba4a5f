import { Search, Waves } from 'lucide-react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ImportLink } from '../feedback/index.ts'

type NothingToShowProps = {
  /** The list was never loaded. */
  failed: boolean
  /** There are insights, but none passes the filter. */
  filtered: boolean
  words: string
  onRetry: () => void
  onClear: () => void
}

/** What stands in the place of the table, and the way on from there. */
export function NothingToShow({ failed, filtered, words, onRetry, onClear }: NothingToShowProps) {
  if (failed) {
    return (
      <EmptyState
        icon={<Waves size={24} aria-hidden />}
        title="No insights to show"
        actions={<Button onClick={onRetry}>Try again</Button>}
      >
        The server did not answer. This page keeps asking by itself.
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
        {words ? `No insight holds “${words}” and passes the filters.` : 'No insight passes these filters.'}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<Waves size={24} aria-hidden />}
      title="No insights yet"
      actions={
        <>
          <ImportLink look="primary" />
          <Link to="/integrations" className={buttonClass()}>
            Connect a source
          </Link>
        </>
      }
    >
      An insight appears as soon as two messages say the same thing. Bring some feedback in to begin.
    </EmptyState>
  )
}

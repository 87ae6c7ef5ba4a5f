import { Button } from '../../ui/button.tsx'
import { CallError } from '../client/index.ts'
import { ChangedComparisons } from './comparison-pages.ts'

type LoadFailureProps = {
  /** What failed, as a sentence. */
  what: string
  error: Error
  onRetry: () => void
  /** Loads the comparisons from the beginning, which is needed when they have changed. */
  onReopen: () => void
}

/** Comparisons that could not be loaded, with the reason and a way out. */
export function LoadFailure({ what, error, onRetry, onReopen }: LoadFailureProps) {
  const isChanged = error instanceof ChangedComparisons
  const reason = error instanceof CallError && error.code === 'conflict' ? ` ${error.message}` : ''
  return (
    <div
      role="alert"
      className="mt-3 flex flex-wrap items-center gap-3 rounded border border-line bg-bad-soft px-3 py-2 text-bad"
    >
      <p className="mr-auto">
        {isChanged ? 'The comparisons have changed since they were opened.' : `${what}${reason}`}
      </p>
      <Button onClick={isChanged ? onReopen : onRetry}>{isChanged ? 'Load again' : 'Try again'}</Button>
    </div>
  )
}

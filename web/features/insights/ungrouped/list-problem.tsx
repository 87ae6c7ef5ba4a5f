import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

type ListProblemProps = { error: Error; onRetry: () => void }

/** In place of a list that could not be loaded. */
export function ListProblem({ error, onRetry }: ListProblemProps) {
  return (
    <EmptyState title="The list could not be loaded" actions={<Button onClick={onRetry}>Try again</Button>}>
      {error.message}
    </EmptyState>
  )
}

/** Below a list whose next page could not be loaded. */
export function MoreProblem({ error }: Pick<ListProblemProps, 'error'>) {
  return (
    <p role="alert" className="py-2 text-small text-bad">
      More could not be loaded. {error.message}
    </p>
  )
}

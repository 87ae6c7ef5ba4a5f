import { Search } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** No insight passes the filter. */
export function NothingFound({ words, onClear }: { words: string; onClear: () => void }) {
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

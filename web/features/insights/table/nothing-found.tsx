import { Search } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { isFiltered, readFilter } from '../filters/filter.ts'

/** No insight passes the filter. */
export function NothingFound({ words, onClear }: { words: string; onClear: () => void }) {
  const [address] = useSearchParams()
  const alsoFiltered = isFiltered({ ...readFilter(address), words: '' })
  return (
    <EmptyState
      icon={<Search size={24} aria-hidden />}
      title="Nothing found"
      actions={<Button onClick={onClear}>Clear search and filters</Button>}
    >
      {words
        ? `No insights match “${words}”${alsoFiltered ? ' and the filters' : ''}.`
        : 'No insights match these filters.'}
    </EmptyState>
  )
}

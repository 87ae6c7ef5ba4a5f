import { ArrowDownWideNarrow, Bookmark, Clock, Download, Ellipsis } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { useMayEdit } from '../../accounts/index.ts'
import { useHasExtras } from '../../operations/index.ts'
import { DEFAULT_SORT, type Sort } from '../table/sort.ts'

type ListMenuProps = { anyCustomer: boolean; onSort: (sort: Sort) => void; onExport: () => void; onSave: () => void }

/** What can be done with the whole list. */
export function ListMenu({ anyCustomer, onSort, onExport, onSave }: ListMenuProps) {
  const hasExtras = useHasExtras()
  const mayEdit = useMayEdit()
  const largest = (label: string, column: Sort['column']) => ({
    label,
    Icon: ArrowDownWideNarrow,
    onSelect: () => onSort({ column, descending: true }),
  })
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="List options" className="size-7!">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
      entries={[
        largest('Largest first', 'mentions'),
        ...(anyCustomer
          ? [largest('Most customers first', 'customers'), largest('Highest revenue first', 'revenue')]
          : []),
        { label: 'Newest first', Icon: Clock, onSelect: () => onSort(DEFAULT_SORT) },
        ...(hasExtras && mayEdit ? [{ label: 'Save view…', Icon: Bookmark, onSelect: onSave }] : []),
        ...(hasExtras ? [{ label: 'Export…', Icon: Download, onSelect: onExport }] : []),
      ]}
    />
  )
}

import { SKELETON_ROWS } from '../constants.ts'

/** A table that is still loading: its columns by name and three rows of bars. */
export function TableSkeleton({ label, columns }: { label: string; columns: readonly string[] }) {
  return (
    <table aria-busy="true" aria-label={label} className="w-full table-fixed border-collapse">
      <thead>
        <tr className="border-b border-line text-left text-small text-muted">
          {columns.map((column) => (
            <th key={column} scope="col" className="h-9 px-4 font-medium first:w-3/5 md:first:pl-6">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <tr key={row} data-skeleton className="h-11 border-b border-line">
            {columns.map((column, index) => (
              <td key={column} className="px-4 md:first:pl-6">
                <div className={index === 0 ? 'skeleton h-3 w-2/3' : 'skeleton h-3 w-16 max-w-full'} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

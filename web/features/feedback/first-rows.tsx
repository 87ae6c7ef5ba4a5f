import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import clsx from 'clsx'
import { MAPPED, type Preview } from './preview.ts'

const SAMPLE_ROWS = 5

/** A column without a name is labelled by its number. */
export function columnName(column: string): string {
  return /^\d+$/.test(column) ? `Column ${column}` : column
}

/** The use of each mapped column, in the order of the form. */
function rolesByColumn(mapping: ColumnMapping): Map<string, string> {
  const roles = new Map<string, string>()
  for (const { key, label } of MAPPED) {
    const column = mapping[key]
    if (column) roles.set(column, [roles.get(column), label].filter(Boolean).join(', '))
  }
  return roles
}

/** The first rows of a file, and what each column is imported as. */
export function FirstRows({ preview, mapping }: { preview: Preview; mapping: ColumnMapping }) {
  const used = rolesByColumn(mapping)
  // The imported columns are first, so that no scrolling is needed: exports have dozens of columns.
  const shown = [...new Set([...used.keys(), ...preview.columns])].filter((column) => preview.columns.includes(column))
  return (
    <>
      <h3 className="mt-5 font-semibold">The first rows of the file</h3>
      <div
        className="mt-2 overflow-x-auto rounded border border-line"
        tabIndex={0}
        role="region"
        aria-label="First rows"
      >
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b border-line bg-canvas text-left text-small">
              {shown.map((column) => (
                <th
                  key={column}
                  scope="col"
                  title={columnName(column)}
                  className="h-8 max-w-xs truncate px-3 font-medium text-muted"
                >
                  {used.has(column) ? <span className="mr-1 text-accent">{`${used.get(column)} `}</span> : null}
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.slice(0, SAMPLE_ROWS).map((row, index) => (
              <tr key={index} className="border-b border-line last:border-0">
                {shown.map((column) => (
                  <td
                    key={column}
                    dir="auto"
                    className={clsx('max-w-xs truncate px-3 py-1.5 text-small', !used.has(column) && 'text-muted')}
                  >
                    {row[preview.columns.indexOf(column)]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

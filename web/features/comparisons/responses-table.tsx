import { GENERATOR_COLUMN_MIN_WIDTH_PX } from '../../ui/constants.ts'
import { KeyValues } from '../../ui/text/plain-value.tsx'
import type { ComparisonView } from './comparison-view.ts'

type ResponsesTableProps = { generators: readonly string[]; comparison: ComparisonView }

/** Each generator's responses to one input, one column each. */
export function ResponsesTable({ generators, comparison }: ResponsesTableProps) {
  return (
    <section aria-label="Responses" tabIndex={0} className="mt-3 overflow-x-auto rounded border border-line bg-surface">
      <table
        className="w-full table-fixed border-collapse"
        style={{ minWidth: generators.length * GENERATOR_COLUMN_MIN_WIDTH_PX }}
      >
        <thead>
          <tr className="border-b border-line text-left align-bottom">
            {generators.map((label, index) => (
              <th
                key={`${index} ${label}`}
                scope="col"
                dir="auto"
                style={{ minWidth: GENERATOR_COLUMN_MIN_WIDTH_PX }}
                className="border-l border-line px-4 py-2 font-semibold break-words first:border-l-0"
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparison.rows.length === 0 ? (
            <tr>
              <td colSpan={Math.max(1, generators.length)} className="px-4 py-6 text-center text-muted">
                No generator has a response for this input.
              </td>
            </tr>
          ) : null}
          {comparison.rows.map((row, index) => (
            <tr key={index} className="border-b border-line align-top last:border-0">
              {row.map((entries, column) => (
                <td key={column} className="border-l border-line px-4 py-3 first:border-l-0">
                  {entries === null ? <span className="text-muted">–</span> : <KeyValues entries={entries} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

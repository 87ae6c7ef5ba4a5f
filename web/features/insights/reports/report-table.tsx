import type { Report } from '@groundswell/contract/reports.ts'
import { changeText, countText, type ReportRow, startText } from './report-words.ts'

const cell = 'px-3 py-2 text-right tabular-nums whitespace-nowrap'
const name = 'sticky left-0 bg-surface px-3 py-2 text-left font-medium whitespace-nowrap'

/** The report as a table: a line for each day, week or month, a column for each part. */
export function ReportTable({ report, rows }: { report: Report; rows: readonly ReportRow[] }) {
  const line = (label: string, values: (row: ReportRow) => string) => (
    <tr key={label} className="border-b border-line last:border-0">
      <th scope="row" className={name}>
        {label}
      </th>
      {rows.map((row) => (
        <td key={row.label} className={cell}>
          {values(row)}
        </td>
      ))}
    </tr>
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section
      aria-label="The report as a table"
      tabIndex={0}
      className="overflow-x-auto rounded-large border border-line bg-surface"
    >
      <table className="w-full">
        <thead>
          <tr className="border-b border-line text-small text-muted">
            <th scope="col" className={name}>
              {report.unit.charAt(0).toUpperCase() + report.unit.slice(1)}
            </th>
            {rows.map((row) => (
              <th key={row.label} scope="col" dir="auto" className={cell}>
                {row.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.starts.map((start, place) =>
            line(startText(start, report.unit), ({ series }) => countText(series.counts[place] ?? 0)),
          )}
        </tbody>
        <tfoot className="border-t border-line font-medium">
          {line('Total', ({ series }) => countText(series.total))}
          {line('Before', ({ series }) => countText(series.previous))}
          {line('Change', ({ series }) => changeText(series) ?? '–')}
        </tfoot>
      </table>
    </section>
  )
}

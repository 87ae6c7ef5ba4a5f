import type { Report } from '@groundswell/contract/reports.ts'
import clsx from 'clsx'
import { changeText, countText, type ReportRow, startText } from './report-words.ts'

const cell = 'px-3 py-2 text-right tabular-nums whitespace-nowrap'
const name = 'sticky left-0 bg-surface px-3 py-2 text-left whitespace-nowrap'

/** The report as a table: a line for each day, week or month, a column for each part. */
export function ReportTable({ report, rows }: { report: Report; rows: readonly ReportRow[] }) {
  const line = (label: string, values: (row: ReportRow) => string, look: 'plain' | 'strong' | 'faint' = 'plain') => (
    <tr
      key={label}
      className={clsx(
        'border-b border-line last:border-0',
        look === 'strong' && 'font-semibold',
        look === 'faint' && 'text-muted',
      )}
    >
      <th scope="row" className={clsx(name, look === 'strong' ? 'font-semibold' : 'font-medium')}>
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
            <th scope="col" className={clsx(name, 'font-medium')}>
              {report.unit.charAt(0).toUpperCase() + report.unit.slice(1)}
            </th>
            {rows.map((row) => (
              <th key={row.label} scope="col" dir="auto" className={clsx(cell, 'font-medium')}>
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
        <tfoot className="border-t border-line-strong">
          {line('Total', ({ series }) => countText(series.total), 'strong')}
          {line('Previous period', ({ series }) => countText(series.previous), 'faint')}
          {line('Change', ({ series }) => changeText(series) ?? '–', 'faint')}
        </tfoot>
      </table>
    </section>
  )
}

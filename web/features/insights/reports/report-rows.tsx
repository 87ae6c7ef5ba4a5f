import type { Report } from '@groundswell/contract/reports.ts'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { colorsOf } from './part-colors.ts'
import { PartInsights } from './part-insights.tsx'
import type { ReportQuery } from './report-query.ts'
import { comparedText, countText, type ReportRow } from './report-words.ts'
import { SmallBars } from './small-bars.tsx'

type RowsProps = { report: Report; rows: readonly ReportRow[]; query: ReportQuery }

/** The parts of a report, each with bars at its own scale; a row opens the insights behind it. */
export function ReportRows({ report, rows, query }: RowsProps) {
  const colors = colorsOf(
    rows.map(({ series }) => series.key),
    rows.findIndex(({ series }) => series === report.others),
  )
  return (
    <ul className="rounded-large border border-line bg-surface">
      {rows.map((row, place) => (
        <Row
          key={`${row.label} ${row.series.key}`}
          report={report}
          row={row}
          query={query}
          color={colors[place] ?? ''}
        />
      ))}
    </ul>
  )
}

type RowProps = { report: Report; row: ReportRow; query: ReportQuery; color: string }

function Row({ report, row, query, color }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { label, series } = row
  const isOthers = series === report.others
  const compared = comparedText(series, report.all.previous)
  const name = (
    <>
      <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: color }} />
      <span dir="auto" className="truncate">
        {label}
      </span>
    </>
  )
  return (
    <li className="border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {isOthers ? (
          <span className="flex w-full items-center gap-2 pl-6 font-medium md:w-56">{name}</span>
        ) : (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="flex w-full items-center gap-2 rounded text-left font-medium hover:text-accent md:w-56"
          >
            <ChevronRight size={16} aria-hidden className={isOpen ? 'shrink-0 rotate-90' : 'shrink-0'} />
            {name}
          </button>
        )}
        <div className="min-w-0 flex-1">
          <SmallBars report={report} row={row} color={color} />
        </div>
        <span className="w-16 text-right text-small text-muted tabular-nums">
          Peak {countText(Math.max(0, ...series.counts))}
        </span>
        <span className="w-20 text-right tabular-nums">
          {countText(series.total)}
          {compared === null ? null : <span className="block text-small text-muted">{compared}</span>}
        </span>
      </div>
      {isOpen ? (
        <div id={id} className="mt-3 pl-6">
          <PartInsights query={query} part={series.key} table={row.to} before={report.all.previous} />
        </div>
      ) : null}
    </li>
  )
}

import type { Report } from '@groundswell/contract/reports.ts'
import { Link } from 'react-router'
import { barsOf } from '../panel/timeline.ts'
import { changeText, countText, dayText, periodText, type ReportRow } from './report-words.ts'

/** The chart's own size; it is stretched to the screen's. */
const WIDTH = 960
const HEIGHT = 120
const GAP = 3

type BarsProps = { report: Report; rows: readonly ReportRow[] }

/** The report as charts: one of everything, and below it one for each part, all at one scale. */
export function ReportBars({ report, rows }: BarsProps) {
  const [all, ...parts] = rows
  if (!all) return null
  const highest = Math.max(1, ...parts.flatMap(({ series }) => series.counts))
  return (
    <>
      <figure>
        <Bars report={report} row={all} highest={Math.max(1, ...all.series.counts)} className="h-24" />
        <figcaption className="mt-1 flex justify-between gap-4 text-small text-muted">
          <span>{dayText(report.from)}</span>
          <span>Peak: {countText(Math.max(...all.series.counts))}</span>
          <span>{dayText(report.to)}</span>
        </figcaption>
      </figure>
      {parts.length > 0 ? (
        <ul className="rounded-large border border-line bg-surface">
          {parts.map((row) => (
            <li
              key={`${row.label} ${row.series.key}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 last:border-0"
            >
              <span dir="auto" className="w-full truncate font-medium md:w-56">
                {row.to ? (
                  <Link to={row.to} className="hover:underline">
                    {row.label}
                  </Link>
                ) : (
                  row.label
                )}
              </span>
              <div className="min-w-0 flex-1">
                <Bars report={report} row={row} highest={highest} className="h-8" />
              </div>
              <span className="w-28 text-right tabular-nums">
                {countText(row.series.total)}
                <span className="block text-small text-muted">{comparedText(row)}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

/** A part compared with the time before. */
function comparedText({ series }: ReportRow): string {
  return changeText(series) ?? (series.total === 0 ? 'none before' : 'new')
}

type OneProps = { report: Report; row: ReportRow; highest: number; className: string }

function Bars({ report, row, highest, className }: OneProps) {
  const { counts, total } = row.series
  const words = `${row.label}: ${countText(total)} from ${dayText(report.from)} to ${dayText(report.to)}, by ${report.unit}`
  // The highest bar of all gives the scale.
  const bars = barsOf([...counts, highest], (WIDTH * (counts.length + 1)) / counts.length, HEIGHT, GAP)
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`block w-full ${className}`}
    >
      {counts.map((count, place) => {
        const bar = bars[place]
        const start = report.starts[place] ?? ''
        return bar ? (
          <rect key={start} {...bar} className={count === 0 ? 'fill-(--line)' : 'fill-(--accent)'}>
            <title>{`${periodText(start, report.unit)}: ${countText(count)}`}</title>
          </rect>
        ) : null
      })}
    </svg>
  )
}

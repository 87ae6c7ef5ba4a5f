import type { Report } from '@groundswell/contract/reports.ts'
import { barsOf } from '../panel/timeline.ts'
import { periodText, type ReportRow, rowText } from './report-words.ts'

/** The bars' own size; they are stretched to the screen's. */
const WIDTH = 960
const HEIGHT = 120
const GAP = 3

type BarsProps = { report: Report; row: ReportRow; color: string }

/** The mentions of a part as bars at a scale of their own, so that a small part can be read too. */
export function SmallBars({ report, row, color }: BarsProps) {
  const { counts } = row.series
  const bars = barsOf(counts, WIDTH, HEIGHT, GAP)
  return (
    <svg
      role="img"
      aria-label={rowText(row, report)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full"
    >
      {counts.map((count, place) => {
        const bar = bars[place]
        const start = report.starts[place] ?? ''
        return bar ? (
          <rect key={start} {...bar} fill={count === 0 ? 'var(--line)' : color}>
            <title>{`${periodText(start, report.unit)}: ${count}`}</title>
          </rect>
        ) : null
      })}
    </svg>
  )
}

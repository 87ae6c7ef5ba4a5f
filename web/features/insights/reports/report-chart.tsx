import type { Report } from '@groundswell/contract/reports.ts'
import { useEffect, useRef, useState } from 'react'
import { ReportBars } from './report-bars.tsx'
import { countText, periodText, type ReportRow } from './report-words.ts'

type ChartProps = { report: Report; rows: readonly ReportRow[] }

/**
 * Mentions over time, its parts on top of each other. The numbers of a day, week or month are read out where the pointer is, or by the arrow keys; all of
 * them are in the table.
 */
export function ReportChart({ report, rows }: ChartProps) {
  const [frame, width] = useWidth()
  const [place, setPlace] = useState<number | null>(null)
  const { starts, unit } = report
  const [all, ...parts] = rows
  if (!all) return null
  const shown = Math.min(place ?? peakOf(all.series.counts), starts.length - 1)
  const words = readText(all, parts, shown)
  return (
    <figure className="rounded-large border border-line bg-surface p-4 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <figcaption className="mb-3 min-h-10 text-muted">
        <span className="font-medium text-text">
          {place === null ? 'Peak, ' : ''}
          {periodText(starts[shown] ?? '', unit)}:
        </span>{' '}
        {words}
      </figcaption>
      <label>
        <span className="sr-only">Read the chart by {unit}</span>
        <input
          type="range"
          className="sr-only"
          min={0}
          max={starts.length - 1}
          value={shown}
          aria-valuetext={`${periodText(starts[shown] ?? '', unit)}: ${words}`}
          onChange={({ target }) => setPlace(Number(target.value))}
        />
      </label>
      <div ref={frame}>
        {width > 0 ? (
          <ReportBars
            report={report}
            all={all}
            parts={parts}
            width={width}
            shown={shown}
            marked={place !== null}
            onPlace={setPlace}
          />
        ) : (
          <div className="h-57" />
        )}
      </div>
    </figure>
  )
}

function peakOf(counts: readonly number[]): number {
  return Math.max(0, counts.indexOf(Math.max(...counts)))
}

/** The mentions of a day, week or month, by part. */
function readText(all: ReportRow, parts: readonly ReportRow[], place: number): string {
  const count = all.series.counts[place] ?? 0
  const own = parts
    .map(({ label, series }) => ({ label, count: series.counts[place] ?? 0 }))
    .filter((part) => part.count > 0)
    .map((part) => `${part.label}: ${countText(part.count)}`)
  return [`${countText(count)} ${count === 1 ? 'mention' : 'mentions'}`, ...own].join(' · ')
}

/** The width of an element, in pixels; 0 until it is known. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

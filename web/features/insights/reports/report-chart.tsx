import type { Report } from '@groundswell/contract/reports.ts'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { BarStack } from '@visx/shape'
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { colorsOf } from './part-colors.ts'
import { axisText, countText, periodText, type ReportRow, rowText } from './report-words.ts'

const HEIGHT = 228
const MARGIN = { top: 8, right: 0, bottom: 28, left: 40 }
const LABEL_WIDTH = 88
const LINES = 4

const labelProps = { fill: 'var(--muted)', fontSize: 12, fontFamily: 'inherit' } as const

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
  const stacked = parts.length > 0 ? parts : rows
  const colors = colorsOf(stacked.map(({ series }) => (parts.length > 0 ? series.key : 'all')))
  const keys = stacked.map((_, index) => String(index))
  const data = useMemo(
    () =>
      starts.map((start, index) => ({
        start,
        ...Object.fromEntries(stacked.map(({ series }, key) => [String(key), series.counts[index] ?? 0])),
      })),
    [starts, stacked],
  )
  if (!all) return null
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right)
  const x = scaleBand({ domain: [...starts], range: [0, inner], paddingInner: 0.15 })
  const y = scaleLinear({
    domain: [0, Math.max(1, ...all.series.counts)],
    range: [HEIGHT - MARGIN.top - MARGIN.bottom, 0],
    nice: LINES,
  })
  const step = Math.ceil(starts.length / Math.max(1, Math.floor(inner / LABEL_WIDTH)))
  const labels = starts.filter((_, index) => index % step === 0)
  const lines = y.ticks(LINES).filter(Number.isInteger)
  const shown = Math.min(place ?? peakOf(all.series.counts), starts.length - 1)
  const words = readText(all, parts, shown)
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const at = (clientX - currentTarget.getBoundingClientRect().left - MARGIN.left) / inner
    setPlace(Math.max(0, Math.min(starts.length - 1, Math.floor(at * starts.length))))
  }
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
          <svg
            role="img"
            aria-label={rowText(all, report)}
            width={width}
            height={HEIGHT}
            className="block"
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setPlace(null)}
          >
            <g transform={`translate(${MARGIN.left},${MARGIN.top})`}>
              {lines.map((line) => (
                <line key={line} x1={0} x2={inner} y1={y(line)} y2={y(line)} stroke="var(--line)" />
              ))}
              <rect
                x={x(starts[shown] ?? '') ?? 0}
                y={0}
                width={x.bandwidth()}
                height={y(0)}
                fill={place === null ? 'none' : 'var(--hover)'}
              />
              <BarStack
                data={data}
                keys={keys}
                x={({ start }) => start}
                xScale={x}
                yScale={y}
                color={(key) => colors[Number(key)] ?? ''}
              >
                {(stacks) =>
                  stacks.flatMap((stack) =>
                    stack.bars.map((bar) =>
                      bar.height > 0 ? (
                        <rect
                          key={`${stack.index} ${bar.index}`}
                          x={bar.x}
                          y={bar.y}
                          width={Math.max(1, bar.width)}
                          height={Math.max(1, bar.height - (parts.length > 0 ? 1 : 0))}
                          fill={bar.color}
                        />
                      ) : null,
                    ),
                  )
                }
              </BarStack>
              <AxisLeft
                scale={y}
                tickValues={lines}
                hideAxisLine
                hideTicks
                tickFormat={(line) => countText(Number(line))}
                tickLabelProps={{ ...labelProps, textAnchor: 'end', dx: -4, dy: 4 }}
              />
              <AxisBottom
                scale={x}
                top={y(0)}
                tickValues={labels}
                stroke="var(--line-strong)"
                hideTicks
                tickFormat={(start) => axisText(String(start), unit)}
                tickLabelProps={{ ...labelProps, textAnchor: 'middle' }}
              />
            </g>
          </svg>
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

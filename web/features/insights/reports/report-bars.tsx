import type { Report } from '@groundswell/contract/reports.ts'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { BarStack } from '@visx/shape'
import { type PointerEvent, useMemo } from 'react'
import { colorsOf } from './part-colors.ts'
import { axisText, countText, type ReportRow, rowText } from './report-words.ts'

const HEIGHT = 228
const MARGIN = { top: 8, right: 0, bottom: 28, left: 40 }
const LABEL_WIDTH = 88
const LINES = 4

const labelProps = { fill: 'var(--muted)', fontSize: 12, fontFamily: 'inherit' } as const

type ReportBarsProps = {
  report: Report
  all: ReportRow
  parts: readonly ReportRow[]
  /** In pixels. */
  width: number
  /** The index of the day, week or month whose numbers are read out. */
  shown: number
  /** Whether that one was chosen. */
  marked: boolean
  onPlace: (index: number | null) => void
}

/** The bars of a report and their axes. */
export function ReportBars({ report, all, parts, width, shown, marked, onPlace }: ReportBarsProps) {
  const { starts, unit } = report
  const stacked = useMemo(() => (parts.length > 0 ? parts : [all]), [all, parts])
  const colors = colorsOf(
    stacked.map(({ series }) => (parts.length > 0 ? series.key : 'all')),
    stacked.findIndex(({ series }) => series === report.others),
  )
  const keys = stacked.map((_, index) => String(index))
  const data = useMemo(
    () =>
      starts.map((start, index) => ({
        start,
        ...Object.fromEntries(stacked.map(({ series }, key) => [String(key), series.counts[index] ?? 0])),
      })),
    [starts, stacked],
  )
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
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const at = (clientX - currentTarget.getBoundingClientRect().left - MARGIN.left) / inner
    onPlace(Math.max(0, Math.min(starts.length - 1, Math.floor(at * starts.length))))
  }
  return (
    <svg
      role="img"
      aria-label={rowText(all, report)}
      width={width}
      height={HEIGHT}
      className="block"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPlace(null)}
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
          fill={marked ? 'var(--hover)' : 'none'}
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
  )
}

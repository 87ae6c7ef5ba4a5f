const WIDTH = 72
const HEIGHT = 20

/** The corners of a line through `values`, scaled into the box, as an SVG `points` list. */
export function sparklinePoints(values: readonly number[], width = WIDTH, height = HEIGHT): string {
  const highest = Math.max(1, ...values)
  const step = values.length > 1 ? (width - 2) / (values.length - 1) : 0
  return values
    .map(
      (value, index) =>
        `${(1 + index * step).toFixed(1)},${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`,
    )
    .join(' ')
}

type SparklineProps = { values: readonly number[]; label: string; faint?: boolean }

/** A line chart at the size of text. `label` describes it; `faint`: it is not current. */
export function Sparkline({ values, label, faint = false }: SparklineProps) {
  const points = sparklinePoints(values)
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block"
    >
      <title>{label}</title>
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className={faint ? 'text-muted' : 'text-accent'}
      />
    </svg>
  )
}

import type { Timeline } from '@groundswell/contract/insights/insight-detail.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { calendarDay } from '../../../ui/text/calendar-day.ts'
import { barsOf, periodsOf, weeksOf } from './timeline.ts'

const HEIGHT = 64
const GAP = 2
/** The chart's own width; it is stretched to the panel's. */
const WIDTH = 480

/** A time in the last week of the trend. */
function lastMoment({ trend_end }: Insight): number {
  return trend_end ? Date.parse(trend_end) - 1 : Date.now()
}

/** Mentions over time as bars: over the insight's whole life where the server has it, else its last weeks. */
export function MentionChart({ insight, timeline }: { insight: Insight; timeline: Timeline | undefined }) {
  const shown = timeline ?? (insight.trend ? weeksOf(insight.trend, lastMoment(insight)) : null)
  if (!shown || shown.counts.length === 0) return null
  const periods = periodsOf(shown)
  const highest = Math.max(...shown.counts)
  const total = shown.counts.reduce((sum, count) => sum + count, 0)
  const words = `${total} mentions by ${shown.unit}, at most ${highest} in one`
  return (
    <section>
      <h3 className="flex items-baseline justify-between font-semibold">
        Mentions by {shown.unit}
        <span className="text-small font-normal text-muted tabular-nums">Peak: {highest}</span>
      </h3>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-2 block h-16 w-full"
      >
        {barsOf(shown.counts, WIDTH, HEIGHT, GAP).map(({ x, y, width, height }, place) => (
          <rect
            key={periods[place]}
            x={x}
            y={y}
            width={width}
            height={height}
            className={shown.counts[place] === 0 ? 'fill-(--line)' : 'fill-(--accent)'}
          >
            <title>{`${periods[place]}: ${shown.counts[place]}`}</title>
          </rect>
        ))}
      </svg>
      <p className="mt-1 flex justify-between text-small text-muted tabular-nums">
        <span>
          {insight.first_seen ? `First ${calendarDay(insight.first_seen, insight.first_seen_date_only)}` : periods[0]}
        </span>
        <span>
          {insight.last_seen ? `Last ${calendarDay(insight.last_seen, insight.last_seen_date_only)}` : periods.at(-1)}
        </span>
      </p>
    </section>
  )
}

import type { Insight } from '@groundswell/contract/insights.ts'
import { Sparkline } from '../../../../ui/sparkline.tsx'
import { trendText } from '../../mention-words.ts'
import { spikeOf } from '../spike.ts'
import { SpikeMark } from '../spike-mark.tsx'
import type { TableColumn } from './column.ts'

const RECENT_WEEKS = 4

const className = 'hidden px-2 lg:table-cell'

export const trendColumn = {
  id: 'trend',
  label: 'Trend',
  hideable: true,
  sort: recentMentions,
  header: `${className} w-32`,
  className,
  cell: ({ insight }) => {
    if (!insight.trend) return null
    const spike = spikeOf(insight)
    return (
      <span className="flex items-center gap-1.5">
        <Sparkline
          values={insight.trend}
          label={trendText(insight.trend, insight.trend_end)}
          faint={Boolean(insight.trend_end)}
        />
        {spike ? <SpikeMark spike={spike} /> : null}
      </span>
    )
  },
} as const satisfies TableColumn

/** The mentions of the last four weeks. */
function recentMentions(insight: Insight): number {
  if (insight.trend_end) return 0
  return (insight.trend ?? []).slice(-RECENT_WEEKS).reduce((sum, week) => sum + week, 0)
}

import { Sparkline } from '../../../../ui/table/sparkline.tsx'
import { trendText } from '../../mention-words.ts'
import { spikeOf } from '../spike.ts'
import { SpikeMark } from '../spike-mark.tsx'
import type { TableColumn } from './column.ts'

const className = 'hidden px-2 lg:table-cell'

/** Mentions by week as a small chart, with a mark where there is a spike. */
export const trendColumn = {
  id: 'trend',
  label: 'Trend',
  hideable: true,
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

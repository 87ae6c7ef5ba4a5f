import type { Insight } from '@groundswell/contract/insights.ts'

const MIN_MENTIONS = 4
const TIMES = 3
/** The current weeks: the present one has only just started. */
const NEW_WEEKS = 2

/** `mentions`: in this week or the last, whichever has more. `usual`: the mean of the weeks before. */
export type Spike = { mentions: number; usual: number }

/**
 * Whether an insight is mentioned far more often now than before: at least 4 times in this week or the last, and three times as
 * often as in the weeks before. `usual` is their mean, to one decimal. Null when it is not, when all mentions are older than
 * the last weeks, or without a trend.
 */
export function spikeOf({ trend, trend_end }: Pick<Insight, 'trend' | 'trend_end'>): Spike | null {
  if (!trend || trend_end || trend.length <= NEW_WEEKS) return null
  const mentions = Math.max(...trend.slice(-NEW_WEEKS))
  const before = trend.slice(0, -NEW_WEEKS)
  const usual = before.reduce((sum, week) => sum + week, 0) / before.length
  if (mentions < MIN_MENTIONS || mentions < TIMES * usual) return null
  return { mentions, usual: Math.round(usual * 10) / 10 }
}

/** `Spike: 9 mentions in a week, usually 1.5`. */
export function spikeText({ mentions, usual }: Spike): string {
  return `Spike: ${mentions} mentions in a week, usually ${usual}`
}

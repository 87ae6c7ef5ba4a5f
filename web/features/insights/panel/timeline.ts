import type { Timeline } from '@groundswell/contract/insights/insight-detail.ts'

const DAY_MS = 86_400_000

/** A bar in the coordinates of the chart, in pixels. */
export type Bar = { x: number; y: number; width: number; height: number }

/** A bar for each count, on the lower edge; none is lower than 2, so that gaps are visible. */
export function barsOf(counts: readonly number[], width: number, height: number, gap: number): Bar[] {
  const highest = Math.max(1, ...counts)
  const step = width / counts.length
  return counts.map((count, place) => {
    const tall = Math.max(2, (count / highest) * height)
    return { x: place * step, y: height - tall, width: Math.max(1, step - gap), height: tall }
  })
}

/** The weeks of a trend as a timeline; the last one contains `at`. Weeks start on Monday, in UTC. */
export function weeksOf(trend: readonly number[], at = Date.now()): Timeline {
  const today = new Date(at)
  const monday = Date.UTC(
    today.getUTCFullYear(),
    today.getUTCMonth(),
    today.getUTCDate() - ((today.getUTCDay() + 6) % 7),
  )
  const from = new Date(monday - (trend.length - 1) * 7 * DAY_MS)
  return { unit: 'week', from: from.toISOString(), counts: [...trend] }
}

/** The label of each bar: `2026-03-04`, `week of 2026-03-02`, `2026-03`. */
export function periodsOf({ unit, from, counts }: Timeline): string[] {
  const first = new Date(from)
  return counts.map((_, place) => {
    if (unit === 'month') {
      return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + place, 1)).toISOString().slice(0, 7)
    }
    const day = new Date(first.getTime() + place * (unit === 'week' ? 7 : 1) * DAY_MS).toISOString().slice(0, 10)
    return unit === 'week' ? `week of ${day}` : day
  })
}

import { formatMoment } from '../../../ui/text/moment.ts'

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const WEEK_DAYS = 7

/** A past time in words: `09:12` today, `yesterday, 09:12`, `Monday, 09:12` within a week, else the date and time. */
export function sinceText(iso: string, now = new Date()): string {
  const then = new Date(iso)
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  // Rounded: a day has 23 or 25 hours when the clocks change.
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000)
  if (days === 0) return time.format(then)
  if (days === 1) return `yesterday, ${time.format(then)}`
  return days > 1 && days < WEEK_DAYS ? `${weekday.format(then)}, ${time.format(then)}` : formatMoment(iso)
}

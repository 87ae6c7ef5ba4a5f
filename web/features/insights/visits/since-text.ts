const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const WEEK_DAYS = 7

/** A past time as text, its day and its time: `09:12` today, `yesterday`, `09:12`, `Monday`, `09:12` within a week, else the date and the time. */
export function sinceText(iso: string, now = new Date()): [day: string | null, time: string] {
  const then = new Date(iso)
  const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
  // Rounded: a day has 23 or 25 hours when the clocks change.
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000)
  const at = time.format(then)
  if (days === 0) return [null, at]
  if (days === 1) return ['yesterday', at]
  return [days > 1 && days < WEEK_DAYS ? weekday.format(then) : date.format(then), at]
}

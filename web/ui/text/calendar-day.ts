const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * The day of a time in the user's time zone and locale, like `formatMoment`; `isDay`: it is a day without a time, and that one everywhere. An
 * invalid date is returned unchanged.
 */
export function calendarDay(iso: string, isDay?: boolean): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : (isDay ? utcDay : day).format(time)
}

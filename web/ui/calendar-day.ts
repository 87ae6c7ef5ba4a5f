const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** The day of a time in the user's time zone and locale, like `formatMoment`. An invalid date is returned unchanged. */
export function calendarDay(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : day.format(time)
}

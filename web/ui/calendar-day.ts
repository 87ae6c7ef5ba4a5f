const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** The day of a moment in the reader's own zone and manner, as `formatMoment` has it. What is no date is shown as it came. */
export function calendarDay(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : day.format(time)
}

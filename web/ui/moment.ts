const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A point in time in the reader's own zone and manner. What is no date is shown as it came. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : moment.format(time)
}

/** The day of a point in time as YYYY-MM-DD. */
export function formatDay(iso: string): string {
  return iso.slice(0, 10)
}

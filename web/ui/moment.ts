const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time in the user's time zone and locale. An invalid date is returned unchanged. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : moment.format(time)
}

/** When something was said; `known`: false where the time is only that of the import. */
export function saidText({ date, date_known: known }: { date: string; date_known?: boolean | undefined }): string {
  return known === false ? 'Date unknown' : formatMoment(date)
}

/** The day of a time as YYYY-MM-DD. */
export function formatDay(iso: string): string {
  return iso.slice(0, 10)
}

import { calendarDay } from './calendar-day.ts'

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A time in the user's time zone and locale. An invalid date is returned unchanged. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? iso : moment.format(time)
}

/** When something was said, as replies have it: see `Mention`. */
export type Said = { date: string; date_known?: boolean | undefined; date_only?: boolean | undefined }

/** When something was said: nothing where the time is only that of the import, and a day without a time as the same day in every zone. */
export function saidText({ date, date_known: known, date_only: isDay }: Said): string {
  if (known === false) return 'Date unknown'
  return isDay ? calendarDay(date, true) : formatMoment(date)
}

/** The day of a time as YYYY-MM-DD. */
export function formatDay(iso: string): string {
  return iso.slice(0, 10)
}

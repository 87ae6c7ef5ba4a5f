/** A date as files have it: the day alone where that is all that is known, else the moment in UTC. */
export function dateText(at: Date, dateOnly: boolean): string {
  return dateOnly ? dayOf(at) : at.toISOString()
}

/** The UTC day of a moment, as `2026-01-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The day that it is in a time zone, as `2026-01-31`. */
export function dayIn(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

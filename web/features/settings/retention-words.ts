/** The offered times, in days. Others can be set by the API, and are then shown too. */
export const RETENTION_DAYS: readonly number[] = [30, 90, 180, 365, 730, 1_825]

/** The label of a retention without an end. */
export const FOREVER = 'Forever'

const DAYS_OF_YEAR = 365

/** `90 days`, `1 year`, `2 years`. */
export function keptFor(days: number): string {
  const years = days / DAYS_OF_YEAR
  if (Number.isInteger(years)) return years === 1 ? '1 year' : `${years} years`
  return days === 1 ? '1 day' : `${days} days`
}

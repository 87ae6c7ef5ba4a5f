import { DAY_HOURS, MONTH_HOURS, WEEK_HOURS, YEAR_HOURS } from '../../ui/constants.ts'

const HOUR_MS = 3_600_000

/**
 * How long ago, in short form: `now` below one hour, then whole hours `5h`, days `3d`, weeks `2w`, months of 744 hours `4m` and
 * years of 8760 hours `1y`, each rounded down. A future time is `now`; an invalid date is empty.
 */
export function relativeTime(iso: string, now: number): string {
  const then = Date.parse(iso)
  if (Number.isNaN(then)) return ''
  const hours = Math.floor((now - then) / HOUR_MS)
  if (hours < 1) return 'now'
  if (hours < DAY_HOURS) return `${hours}h`
  if (hours < WEEK_HOURS) return `${Math.floor(hours / DAY_HOURS)}d`
  if (hours < MONTH_HOURS) return `${Math.floor(hours / WEEK_HOURS)}w`
  if (hours < YEAR_HOURS) return `${Math.floor(hours / MONTH_HOURS)}m`
  return `${Math.floor(hours / YEAR_HOURS)}y`
}

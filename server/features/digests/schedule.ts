import { DIGEST_KINDS, type DigestChoice } from '@groundswell/contract/digests.ts'
import { CronExpressionParser } from 'cron-parser'

/**
 * When the next digest is due after `now`; null when none is. Where the clock skips the hour, as in spring, it is due once the clock is past it;
 * where the hour comes twice, the first time.
 */
export function nextDigestAt(now: Date, { frequency, weekday, hour, time_zone }: DigestChoice): Date | null {
  if (frequency === 'off') return null
  return nextAt(now, `${hour} ${DIGEST_KINDS[frequency].on.replace('weekday', String(weekday))}`, time_zone)
}

/** When the quiet hours end that a time is in; null: it is in none. Between the same two hours there are none. */
export function endOfQuiet(at: Date, { quiet, time_zone }: Pick<DigestChoice, 'quiet' | 'time_zone'>): Date | null {
  if (quiet === null || quiet.from === quiet.until) return null
  const end = nextAt(at, `${quiet.until} * * *`, time_zone)
  return end < nextAt(at, `${quiet.from} * * *`, time_zone) ? end : null
}

/** The next time, after another, on the hour and days of a cron expression without its minute. */
function nextAt(after: Date, hourAndDays: string, timeZone: string): Date {
  return CronExpressionParser.parse(`0 ${hourAndDays}`, { currentDate: after, tz: timeZone }).next().toDate()
}

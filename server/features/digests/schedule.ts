import type { DigestChoice } from '@groundswell/contract/digests.ts'

const STEP_MS = 15 * 60_000
const MAX_WAIT_MS = 8 * 24 * 3_600_000
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/**
 * When the next digest is due after `now`; null when none is. Where the clock skips the hour, as in spring, it is due once the clock is past it;
 * where the hour comes twice, the first time.
 */
export function nextDigestAt(now: Date, { frequency, weekday, hour, time_zone }: DigestChoice): Date | null {
  if (frequency === 'off') return null
  const clock = clockOf(time_zone)
  const start = Math.floor(now.getTime() / STEP_MS) * STEP_MS
  let before = clock(start)
  for (let time = start + STEP_MS; time <= start + MAX_WAIT_MS; time += STEP_MS) {
    const at = clock(time)
    const isPast = before.date === at.date && before.hour >= hour
    if (at.hour >= hour && !isPast && (frequency === 'daily' || at.weekday === weekday)) return new Date(time)
    before = at
  }
  throw new Error(`the clock of ${time_zone} never shows ${hour}`)
}

/** When the quiet hours end that a time is in; null: it is in none. Between the same two hours there are none. */
export function endOfQuiet(at: Date, { quiet, time_zone }: Pick<DigestChoice, 'quiet' | 'time_zone'>): Date | null {
  if (quiet === null || quiet.from === quiet.until) return null
  const { from, until } = quiet
  const clock = clockOf(time_zone)
  const isQuiet = (time: number) => {
    const { hour } = clock(time)
    return from < until ? hour >= from && hour < until : hour >= from || hour < until
  }
  if (!isQuiet(at.getTime())) return null
  let time = Math.floor(at.getTime() / STEP_MS) * STEP_MS
  while (isQuiet(time)) time += STEP_MS
  return new Date(time)
}

function clockOf(timeZone: string): (time: number) => { date: string; weekday: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    hourCycle: 'h23',
  })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    return {
      date: `${parts['month']}-${parts['day']}`,
      weekday: WEEKDAYS.indexOf(parts['weekday'] ?? '') + 1,
      hour: Number(parts['hour']),
    }
  }
}

import { setTimeZone } from '@groundswell/contract/values/time-zone.ts'
import { call, logFailure } from '../client/index.ts'

/**
 * Gives a workspace whose time zone nobody has chosen that of this browser. Returns the zone that it has now; null if that failed: the next visit
 * tries again.
 */
export async function takeBrowserZone(): Promise<string | null> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    return (await call(setTimeZone, { body: { time_zone: timeZone, unless_chosen: true } })).time_zone
  } catch (error) {
    logFailure('The time zone was not stored')(error)
    return null
  }
}

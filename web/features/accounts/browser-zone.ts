import { setTimeZone } from '@groundswell/contract/time-zone.ts'
import { call, logFailure } from '../client/index.ts'

/** Gives a workspace whose time zone nobody has chosen that of this browser, then calls `refresh`. If it fails, the next visit tries again. */
export async function takeBrowserZone(refresh: () => Promise<unknown>): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    await call(setTimeZone, { body: { time_zone: timeZone, unless_chosen: true } })
    await refresh()
  } catch (error) {
    logFailure('The time zone was not stored')(error)
  }
}

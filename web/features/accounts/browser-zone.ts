import { setTimeZone } from '@groundswell/contract/time-zone.ts'
import { call } from '../client/index.ts'

/** Gives a workspace whose time zone nobody has chosen that of this browser. Returns the zone that it has now. Throws CallError. */
export async function takeBrowserZone(): Promise<string> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (await call(setTimeZone, { body: { time_zone: timeZone, unless_chosen: true } })).time_zone
}

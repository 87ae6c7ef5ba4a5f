import * as z from 'zod/mini'
import { route } from '../route.ts'

/** A time zone such as `Europe/Berlin`. */
export const TimeZone = z.string().check(
  z.maxLength(64),
  z.refine((timeZone) => {
    try {
      Intl.DateTimeFormat('en', { timeZone })
      return true
    } catch {
      return false
    }
  }, 'This is not a time zone such as Europe/Berlin'),
)

/** `chosen`: false where nobody has chosen one yet; it is UTC then. */
const WorkspaceTimeZone = z.object({ time_zone: z.string(), chosen: z.boolean() })

export const getTimeZone = route({
  name: 'getTimeZone',
  summary: 'The time zone whose days the reports of the workspace count by',
  method: 'GET',
  path: '/api/time-zone',
  access: 'viewer',
  reply: WorkspaceTimeZone,
  errors: [],
})

/** `unless_chosen`: a time zone that was chosen before stays. The reply is the current one. Stored dates stay as they are. */
export const setTimeZone = route({
  name: 'setTimeZone',
  summary: 'Set the time zone whose days the reports of the workspace count by',
  method: 'PUT',
  path: '/api/time-zone',
  access: 'owner',
  audit: { action: 'time-zone.chosen' },
  body: z.object({ time_zone: TimeZone, unless_chosen: z.optional(z.boolean()) }),
  reply: WorkspaceTimeZone,
  errors: ['invalid_input'],
  example: () => ({ body: { time_zone: 'Europe/Berlin' } }),
})

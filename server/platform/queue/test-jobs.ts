import { z } from 'zod'
import { defineJob } from './job.ts'

/** The jobs of the queue's own tests, shared with the worker process that they kill. */
export const long = defineJob({ name: 'test.long', schema: z.object({ mark: z.string() }) })

/** The same, one at a time for each key. */
export const longSerial = defineJob({ name: 'test.long-serial', schema: z.object({ mark: z.string() }), serial: true })

/** Left to the process that has leased its key. */
export const leased = defineJob({
  name: 'test.leased',
  schema: z.object({ key: z.string(), mark: z.string() }),
  serial: true,
  leased: true,
})

/** One whose taking is answered late. */
export const late = defineJob({ name: 'test.late', schema: z.object({ mark: z.string() }) })

/** One whose first attempt is its last. */
export const oneTry = defineJob({ name: 'test.one-try', schema: z.object({ mark: z.string() }), tries: 1 })

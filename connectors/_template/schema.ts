import * as z from 'zod/mini'

/** Of what the tracker answers, only the fields that are read. */
export const CreatedItem = z.object({ id: z.string(), url: z.string() })

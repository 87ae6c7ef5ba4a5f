import * as z from 'zod/mini'

/** The fields that are read from the tracker's response. */
export const CreatedItem = z.object({ id: z.string(), url: z.string() })

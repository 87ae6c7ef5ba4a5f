import { z } from 'zod'

/** The form of a reply. `check-reply.ts` judges its content. */
export const Reply = z.object({ name: z.string(), summary: z.string(), quotes: z.array(z.string()) })

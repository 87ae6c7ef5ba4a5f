import { z } from 'zod'

/** The form of a reply. `check-reply.ts` decides whether it is believed. */
export const Strangers = z.object({
  strangers: z.array(z.object({ id: z.string(), quote: z.string(), belongs: z.string().nullish() })),
})

import { z } from 'zod'

/** The form of a reply. `check-reply.ts` decides whether it is believed. */
export const Review = z.object({
  strangers: z.array(
    z.object({
      id: z.string(),
      quote: z.string(),
      belongs: z.string().nullish(),
      part: z.number().int().min(1).max(1000).nullish(),
    }),
  ),
  same: z.array(z.string()),
})

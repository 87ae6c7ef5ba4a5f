import { z } from 'zod'

/** The form of a reply. `check-answer.ts` decides what of it is shown. */
export const ModelAnswer = z.object({
  sentences: z.array(z.object({ text: z.string(), support: z.array(z.object({ id: z.string(), quote: z.string() })) })),
})
export type ModelAnswer = z.infer<typeof ModelAnswer>

import { z } from 'zod'

const Point = z.object({
  kind: z.enum(['problem', 'request', 'question', 'praise']),
  point: z.string(),
  quote: z.string().optional(),
  english: z.string().optional(),
})
export type RepliedPoint = z.infer<typeof Point>

/** The form of a reply. `check-reply.ts` decides whether it is accepted. */
export const Readings = z.object({ readings: z.array(z.object({ id: z.string(), points: z.array(Point) })) })

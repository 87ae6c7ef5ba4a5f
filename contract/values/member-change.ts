import * as z from 'zod/mini'

/**
 * How the mentions of an insight changed. `new`: arrived meanwhile and are in it; `came`, `left`: had arrived before. `count`: all of that together, by
 * which it has more, or below 0 fewer.
 */
export const MemberChange = z.object({ count: z.int(), new: z.int(), came: z.int(), left: z.int() })
export type MemberChange = z.infer<typeof MemberChange>

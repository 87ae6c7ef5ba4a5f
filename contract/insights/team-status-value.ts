import * as z from 'zod/mini'

/** What a team does about an insight. Pushing depends on the insight's status, never on this. */
export const TeamStatus = z.enum(['planned', 'in_progress', 'shipped', 'wont_do'])
export type TeamStatus = z.infer<typeof TeamStatus>

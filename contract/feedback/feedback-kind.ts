import * as z from 'zod/mini'

/** What a mention is (docs/kinds.md). Praise and small talk form no insight and are not pushed automatically. */
export const FeedbackKind = z.enum(['problem', 'request', 'question', 'praise', 'small talk'])
export type FeedbackKind = z.infer<typeof FeedbackKind>

/** How many mentions are of a kind. Those in an unknown language have none. */
export const KindCount = z.object({ kind: FeedbackKind, count: z.int() })
export type KindCount = z.infer<typeof KindCount>

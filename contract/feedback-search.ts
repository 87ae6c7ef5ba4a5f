import * as z from 'zod/mini'
import { FeedbackKind } from './feedback-kind.ts'
import { Mention } from './insights.ts'
import { route } from './route.ts'

/** A message that was found: the mention of it that fits best, or all of it while it waits to be grouped; `insights`: those it is in. */
export const FoundFeedback = z.extend(Mention, {
  insights: z.array(z.object({ issue_number: z.int(), issue_name: z.string() })),
})
export type FoundFeedback = z.infer<typeof FoundFeedback>

/**
 * All feedback of the workspace, in an insight or not, the newest first. `words`: every word must occur in the message, in any case; the last may
 * be the beginning of one; words in double quotes must occur together. Punctuation counts only there. `source`: a connector, such as `slack`.
 * `from` and `to`: said from then on, and before. `kind`: a mention of the message is of it. `total`: only on the first page; 10,000 means that many or
 * more; null where a filter makes that expensive. A page may be shorter than requested, even empty, and not the last: a search examines 20,000
 * messages at a time. `complete`: false while older messages cannot be found yet, after an update.
 */
export const searchFeedback = route({
  name: 'searchFeedback',
  summary: 'All feedback by words, in an insight or not, newest first, a page at a time',
  method: 'GET',
  path: '/api/feedback/search',
  access: 'viewer',
  scope: 'read',
  query: z.object({
    words: z.optional(z.string().check(z.maxLength(200))),
    source: z.optional(z.string().check(z.maxLength(100))),
    from: z.optional(z.iso.datetime()),
    to: z.optional(z.iso.datetime()),
    kind: z.optional(FeedbackKind),
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  reply: z.object({
    mentions: z.array(FoundFeedback),
    total: z.nullable(z.int()),
    next_cursor: z.nullable(z.string()),
    complete: z.boolean(),
  }),
  errors: ['invalid_input'],
})

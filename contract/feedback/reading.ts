import * as z from 'zod/mini'
import { MentionId } from '../insights.ts'
import { ErrorRate } from '../models/error-rate.ts'
import { route } from '../route.ts'

/** What reading takes for 1,000 messages, in tokens: docs/models.md. */
export const TOKENS_PER_THOUSAND_READ = { least: 50_000, most: 75_000 }

/** The estimate of what a review of an insight with 40 mentions takes, in tokens: docs/models.md. */
export const TOKENS_PER_REVIEW = { least: 1_000, most: 3_000 }

/** Which messages a language model reads: `new`, those that arrive from now on; `all`, those that are stored too. */
export const ReadingScope = z.enum(['new', 'all'])
export type ReadingScope = z.infer<typeof ReadingScope>

/**
 * What is there before stored messages are read, which reading may change. `insights`: those shown; `insights_to_change`: of these, those with a message that would be
 * read; `ungrouped`: messages that would be read and are in no insight, though they are no small talk; `kept`: messages that people have corrected, or
 * of insights that they have locked.
 */
export const ReadingReach = z.object({
  insights: z.int(),
  insights_to_change: z.int(),
  ungrouped: z.int(),
  kept: z.int(),
})
export type ReadingReach = z.infer<typeof ReadingReach>

/**
 * Reading messages with the language model of the server before they are grouped. `scope`: `off` until an
 * owner switches it on. `reviews`: it also reviews the insights that come of it. `read`: messages in which it found points; `empty`: in which it found none; `unread`: that it could not read, which are
 * grouped by their own words; `left`: of the chosen ones, to be read still. `stored`: messages that `all` would read now. `tokens`: what
 * `stored` takes, about. `tokens_per_day`: the budget of the server; reading may use half of it. `chosen_by`,
 * `chosen_at`: who chose the scope, and when. `reach`: what reading the stored messages may change; absent
 * once `all` is chosen. `reviews_due`: insights to review now, where
 * reviews are on, or if they were; `review_tokens`: what these take, about. `review_errors`: how often the model's reviews are wrong, by the answers to
 * their controls; absent without a model. `reviews_stopped`: that is too often, so that no insight is reviewed until there is another model, or an owner
 * chooses `reviews` again.
 */
export const ReadingState = z.object({
  scope: z.enum(['off', 'new', 'all']),
  paused: z.boolean(),
  reviews: z._default(z.boolean(), false),
  read: z.int(),
  empty: z.int(),
  unread: z.int(),
  left: z.int(),
  stored: z.int(),
  tokens: z.int(),
  tokens_per_day: z.nullable(z.int()),
  chosen_by: z.nullable(z.string()),
  chosen_at: z.nullable(z.string()),
  reach: z.optional(ReadingReach),
  reviews_due: z.optional(z.int()),
  review_tokens: z.optional(z.object({ least: z.int(), most: z.int() })),
  review_errors: z.optional(ErrorRate),
  reviews_stopped: z._default(z.boolean(), false),
})
export type ReadingState = z.infer<typeof ReadingState>

export const getReadingChoice = route({
  name: 'getReadingChoice',
  summary: 'Whether a language model reads messages before they are grouped, how far it is, and what it would take',
  method: 'GET',
  path: '/api/reading',
  access: 'viewer',
  reply: ReadingState,
  errors: [],
})

/** `reviews` left out: it stays as it is; true: how often the model's reviews are wrong is measured from zero. `conflict`: the server has no language model. */
export const chooseReading = route({
  name: 'chooseReading',
  summary: 'Choose which messages a language model reads before they are grouped, or pause it',
  method: 'PUT',
  path: '/api/reading',
  access: 'owner',
  audit: { action: 'reading.chosen' },
  body: z.strictObject({
    scope: z.enum(['off', 'new', 'all']),
    paused: z.optional(z.boolean()),
    reviews: z.optional(z.boolean()),
  }),
  reply: ReadingState,
  errors: ['conflict'],
  example: () => ({ body: { scope: 'off' } }),
})

/** `conflict`: people have corrected the message, or reading is off or paused. */
export const readAgain = route({
  name: 'readAgain',
  summary:
    'Have the message of a mention read again by the language model. A message that people have corrected keeps its mentions',
  method: 'POST',
  path: '/api/reading/again',
  access: 'member',
  audit: { action: 'message.read-again', target: 'mention' },
  body: z.object({ mention: MentionId }),
  reply: z.object({ requested: z.boolean() }),
  errors: ['not_found', 'conflict'],
  needs: 'a language model',
  example: ({ mention }) => ({ body: { mention } }),
})

import * as z from 'zod/mini'
import { Mention } from '../insights.ts'
import { type ReplyOf, route } from '../route.ts'
import { FeedbackKind } from './feedback-kind.ts'

const NamedInsight = z.object({ issue_number: z.int(), issue_name: z.string() })

/**
 * A message that was found: the mention of it that fits best, or all of it while it waits to be grouped; `insights`: those it is in.
 * `found_by`: only in a search by meaning. words: every word occurs in the message; meaning: not every word does, but it means something similar.
 */
export const FoundFeedback = z.extend(Mention, {
  insights: z.array(NamedInsight),
  found_by: z.optional(z.enum(['words', 'meaning'])),
})
export type FoundFeedback = z.infer<typeof FoundFeedback>

/**
 * Whether a search by meaning compared meanings. `off`: the server has no sentence encoder; `unavailable`: it cannot be used now; `busy`: it did
 * not answer in time. Except for `used`, the search was by words only.
 */
export const MeaningUse = z.enum(['used', 'off', 'unavailable', 'busy'])
export type MeaningUse = z.infer<typeof MeaningUse>

/** The filters of a search, see `searchFeedback`. */
const filters = {
  source: z.optional(z.string().check(z.maxLength(100))),
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()),
  kind: z.optional(FeedbackKind),
  customer: z.optional(z.uuid()),
  attributes: z.optional(z.string().check(z.maxLength(2_000))),
}

/**
 * All feedback of the workspace, in an insight or not, the newest first. `words`: every word must occur in the message, ignoring case, accents and
 * width (`gross` finds Groß); the last may be incomplete. Words in scripts without spaces, and Korean ones, are found anywhere. Words in double quotes
 * must occur as they are, ignoring case. Punctuation counts there, and where it is part of a term: `C++`, `C#`, `.NET`, `<b>`, `100%`, `#12`. `source`: a connector, such as `slack`. `from` and `to`:
 * said from then on, and before. `kind`: a mention of the message is of it. `customer`: said by this customer. `attributes`: has one of these
 * values of each attribute, such as `rating=1&rating=2&plan=Pro`, in the encoding of a query string. `total`: only on the first page;
 * 10,000 means that many or more; null where counting would be expensive. A page may be shorter than requested, or even empty, without being the
 * last: a search examines 20,000 messages at a time. `complete`: false while older messages cannot be found yet, or only as before, after an update.
 *
 * `by` meaning: the best match first, of up to 1,000 messages with the words and the feedback of the insights that are nearest in meaning. `meaning`
 * and `near`, the nearest insights, are on the first page only. If meanings cannot be compared, the search is by words, newest first. A page after
 * the first throws `not_ready` if meanings can no longer be compared: start the search again.
 */
export const searchFeedback = route({
  name: 'searchFeedback',
  summary: 'Search all feedback by words or by meaning, whether or not it is in an insight, a page at a time',
  method: 'GET',
  path: '/api/feedback/search',
  access: 'viewer',
  scope: 'read',
  query: z.object({
    words: z.optional(z.string().check(z.maxLength(200))),
    by: z._default(z.enum(['words', 'meaning']), 'words'),
    ...filters,
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  reply: z.object({
    mentions: z.array(FoundFeedback),
    total: z.nullable(z.int()),
    next_cursor: z.nullable(z.string()),
    complete: z.boolean(),
    meaning: z.optional(MeaningUse),
    near: z.optional(z.array(NamedInsight)),
  }),
  errors: ['invalid_input', 'not_ready', 'too_many_requests'],
})

/** A sentence of an answer, and what supports it: `feedback` is a position in the feedback of the reply, `quote` a part of it, word for word. */
export const AnswerSentence = z.object({
  text: z.string(),
  quotes: z.array(z.object({ feedback: z.int(), quote: z.string() })),
})
export type AnswerSentence = z.infer<typeof AnswerSentence>

/**
 * Asks a question about the feedback. The language model, if there is one, answers only from the feedback of the reply: up to 20 messages that match
 * the question best. `outcome`: answered; nothing: no sentence of the model is supported by a quote, or no feedback matches; no_model: none is set
 * up; failed: see `problem`. `tokens`: of this answer; `budget`: of the day and the installation.
 */
export const askFeedback = route({
  name: 'askFeedback',
  summary: 'Answer a question from feedback, with quotes, or list the best-matching feedback',
  method: 'POST',
  path: '/api/feedback/ask',
  access: 'viewer',
  audit: 'none',
  body: z.object({ question: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)), ...filters }),
  reply: z.object({
    outcome: z.enum(['answered', 'nothing', 'no_model', 'failed']),
    sentences: z.array(AnswerSentence),
    problem: z.nullable(z.string()),
    feedback: z.array(FoundFeedback),
    meaning: MeaningUse,
    model: z.nullable(z.string()),
    tokens: z.nullable(z.int()),
    budget: z.nullable(z.object({ used: z.int(), per_day: z.int() })),
  }),
  errors: ['invalid_input', 'too_many_requests'],
  example: () => ({ body: { question: 'What is missing?' } }),
})
/** The reply of `askFeedback`. */
export type Answer = ReplyOf<typeof askFeedback>

import * as z from 'zod/mini'
import { KindCount } from '../feedback/feedback-kind.ts'
import { Category, InsightNumber, MentionId } from '../insights.ts'
import { route } from '../route.ts'

/** Why a mention came or left: it was grouped again, it was clearly nearer elsewhere than in an insight that people had settled, its message edited, read by a model or deleted, or decided by a person or a model. */
export const MoveCause = z.enum(['regrouped', 'clearer', 'edited', 'read', 'deleted', 'person', 'model'])
export type MoveCause = z.infer<typeof MoveCause>

const Moves = z.array(z.object({ cause: MoveCause, count: z.int() }))

/** How the mentions of an insight changed on one UTC day, as in `MemberChange`, with the causes. `messages`: some of those that came or left, each with another insight that it is in now. */
const DayChange = z.object({
  count: z.int(),
  new: z.int(),
  came: Moves,
  left: Moves,
  messages: z.array(z.object({ text: z.string(), left: z.boolean(), other: z.nullable(z.int()) })),
})

/**
 * An event in the life of an insight. `grew`, `shrank`: on that UTC day it got `count` mentions more than it lost, or fewer; `exchanged`: as many. `change`
 * of these says which. `to` and `from` are names or statuses,
 * depending on the event; `other` is the number of the other insight of a merge, a move or a split. moved_out, moved_in, split_off (from
 * this one), split_from (how this one started), rejected: `count` mentions, by a person's decision. undone: a correction of the
 * kind `tag` was undone. item_gone: the destination `tag` no longer has the item, which was called `to` there. item_renamed: the item at the
 * destination `tag` got the title `to` in place of `from`, because the insight is called so now. team_status: it was set
 * to `to`, or to none; `tag`: by a tracker. assigned: to the person `to`, or from `from` to nobody. reviewed_out, reviewed_in: a
 * language model that reviewed the insight said that `count` mentions are about something else, or belong here. point: what the language model read in
 * a mention was corrected `from` one text `to` another. `by`: the person who did it, if it was one.
 */
export const InsightEvent = z.object({
  at: z.string(),
  event: z.enum([
    'created',
    'grew',
    'shrank',
    'exchanged',
    'renamed',
    'status',
    'merged',
    'absorbed',
    'ended',
    'deleted',
    'restored',
    'tagged',
    'moved_out',
    'moved_in',
    'split_off',
    'split_from',
    'rejected',
    'locked',
    'unlocked',
    'undone',
    'item_gone',
    'item_renamed',
    'team_status',
    'assigned',
    'reviewed_out',
    'reviewed_in',
    'point',
  ]),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  tag: z.optional(z.string()),
  count: z.optional(z.int()),
  other: z.optional(z.int()),
  by: z.optional(z.string()),
  change: z.optional(DayChange),
})
export type InsightEvent = z.infer<typeof InsightEvent>

/**
 * Mentions in each day, week (from Monday) or month in the time zone of the workspace, until now. `from`: midnight UTC of the day on which the first one
 * begins.
 */
export const Timeline = z.object({
  unit: z.enum(['day', 'week', 'month']),
  from: z.string(),
  counts: z.array(z.int()),
})
export type Timeline = z.infer<typeof Timeline>

/**
 * The customers of an insight: how many, their revenue together (null: of none it is known), and the largest of them by revenue and then by mentions, at
 * most 10.
 */
export const InsightCustomers = z.object({
  total: z.int(),
  revenue: z.nullable(z.number()),
  largest: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      plan: z.nullable(z.string()),
      revenue: z.nullable(z.number()),
      mentions: z.int(),
    }),
  ),
})
export type InsightCustomers = z.infer<typeof InsightCustomers>

/**
 * Mentions with the same text. `mentions`: their ids, newest first, at most 500 of them. `people`: their authors; a message without one counts as one.
 */
export const Copies = z.object({ count: z.int(), people: z.int(), mentions: z.array(MentionId) })
export type Copies = z.infer<typeof Copies>

/** How many events of an insight are listed at most. */
export const MAX_HISTORY = 100

/**
 * What the list has no room for. `people` and `sources` have their numbers of mentions, most first, at most 50 each, of `totals`; mentions
 * whose author is unknown are left out of `people`: there are `totals.unnamed` of them. `history` is newest first, at most `MAX_HISTORY`. `locked`: the engine leaves
 * its mentions unchanged; `name_set_by`: a name that a person gave is not replaced by the engine's. `kinds`: its mentions by kind.
 */
export const InsightDetail = z.object({
  issue_number: z.int(),
  people: z.array(z.object({ name: z.string(), mentions: z.int() })),
  sources: z.array(z.object({ source: z.string(), place: z.nullable(z.string()), mentions: z.int() })),
  totals: z.optional(z.object({ people: z.int(), unnamed: z.int(), sources: z.int() })),
  timeline: Timeline,
  categories: z.array(Category),
  history: z.array(InsightEvent),
  locked: z.optional(z.boolean()),
  name_set_by: z.optional(z.enum(['engine', 'person'])),
  /** The name is the engine's, and fewer than most mentions say what it says; absent otherwise. */
  name_is_guess: z.optional(z.boolean()),
  kinds: z.optional(z.array(KindCount)),
  /** The texts that its newest mentions have three times and more, the most copied first, at most 3; absent where there are none. */
  copies: z.optional(z.array(Copies)),
  /** Absent where none is known. */
  customers: z.optional(InsightCustomers),
  /** What reviews by the language model took out of it, the newest first: the correction `add` puts it back. Absent where there is nothing. */
  moved_by_review: z.optional(z.array(MentionId)),
  /** The insights that its reviews merged into it, the last one first, with at most 500 of their mentions: the correction `split` takes them out again. Absent where there are none. */
  merged_by_review: z.optional(z.array(z.object({ issue_number: z.int(), mentions: z.array(MentionId) }))),
  /** Who set the team status (null: a tracker) and when; absent where it was never set. */
  team_status_set: z.optional(z.object({ by: z.nullable(z.string()), at: z.string() })),
})
export type InsightDetail = z.infer<typeof InsightDetail>

/** What the list leaves out because every poll would send it. */
export const getInsightDetail = route({
  name: 'getInsightDetail',
  summary: 'People, sources, trend and history of one insight',
  method: 'GET',
  path: '/api/insights/{issue_number}/detail',
  access: 'viewer',
  scope: 'read',
  params: InsightNumber,
  reply: InsightDetail,
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** A tag set by a person: a value, no value (`null`), or `automatic`, which returns the tag to the engine. */
const TagChange = z.union([
  z.object({
    cat_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    option_value: z.union([
      z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
      z.number().check(z.gte(-1e12), z.lte(1e12)),
      z.null(),
    ]),
  }),
  z.object({
    cat_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    automatic: z.literal(true),
  }),
])
export type TagChange = z.infer<typeof TagChange>

/** Replies with all tags of the insight, and in `undo` with the changes that restore what was set before. */
export const setInsightTags = route({
  name: 'setInsightTags',
  summary: 'Set tags of one insight by hand; what is not named stays as it is',
  method: 'PATCH',
  path: '/api/insights/{issue_number}/tags',
  access: 'member',
  audit: { action: 'insight.tagged', target: 'issue_number' },
  params: InsightNumber,
  body: z.object({ changes: z.array(TagChange).check(z.minLength(1), z.maxLength(300)) }),
  reply: z.object({ categories: z.array(Category), undo: z.optional(z.array(TagChange)) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({
    params: { issue_number: issue },
    body: { changes: [{ cat_name: 'Area', automatic: true }] },
  }),
})

import * as z from 'zod/mini'
import { route } from './route.ts'

/** created: enough evidence · pushed: sent to a destination · resolved: closed there · regressed: said again after that. */
export const InsightStatus = z.enum(['created', 'pushed', 'resolved', 'regressed', 'ignored'])
export type InsightStatus = z.infer<typeof InsightStatus>

/** One piece of evidence. `text` is an exact substring of the stored message, from `start` to `end` (UTF-16 offsets). */
export const Mention = z.object({
  id: z.optional(z.string()),
  text: z.string(),
  link: z.nullable(z.string()),
  date: z.string(),
  author: z.optional(z.nullable(z.string())),
  source: z.optional(z.string()),
  place: z.optional(z.nullable(z.string())),
  message: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
})
export type Mention = z.infer<typeof Mention>

/** The value of one tag on an insight. `set_by`: what a person has set, the engine leaves as it is. */
export const Category = z.object({
  cat_name: z.string(),
  cat_type: z.enum(['category', 'calculated', 'number', 'other']),
  option_value: z.union([z.string(), z.number(), z.null()]),
  option_colour: z.nullable(z.string()),
  set_by: z.optional(z.enum(['engine', 'person'])),
})
export type Category = z.infer<typeof Category>

/**
 * A recurring issue. `evidence` holds the newest mentions only; `mention_count` counts them all. `trend`: mentions in each
 * of the last 12 weeks, oldest first. Dates are ISO 8601 in UTC.
 */
export const Insight = z.object({
  issue_number: z.int(),
  issue_name: z.string(),
  summary: z.string(),
  status: InsightStatus,
  last_updated: z.string(),
  evidence: z.array(Mention),
  categories: z.array(Category),
  mention_count: z.optional(z.int()),
  people_count: z.optional(z.int()),
  first_seen: z.optional(z.nullable(z.string())),
  last_seen: z.optional(z.nullable(z.string())),
  trend: z.optional(z.array(z.number())),
  sources: z.optional(z.array(z.string())),
})
export type Insight = z.infer<typeof Insight>

export const InsightNumber = z.object({
  issue_number: z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647)),
})

export const listInsights = route({
  name: 'listInsights',
  summary: 'All insights of the workspace, newest first; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/get-all',
  access: 'member',
  reply: z.array(Insight),
  errors: [],
})

export const listEvidence = route({
  name: 'listEvidence',
  summary: 'The mentions of one insight, newest first, a page at a time',
  method: 'GET',
  path: '/api/insights/{issue_number}/evidence',
  access: 'member',
  params: InsightNumber,
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  reply: z.object({ mentions: z.array(Mention), next_cursor: z.nullable(z.string()) }),
  errors: ['invalid_input', 'not_found'],
})

export const pushInsight = route({
  name: 'pushInsight',
  summary: 'Push one insight now; to every connected destination unless some are named',
  method: 'POST',
  path: '/api/insights/{issue_number}/push',
  access: 'member',
  params: InsightNumber,
  body: z.object({ destinations: z.optional(z.array(z.string()).check(z.maxLength(20))) }),
  reply: z.object({ delivery_ids: z.array(z.string()) }),
  errors: ['invalid_input', 'not_found', 'conflict', 'not_configured'],
})

export const deleteInsight = route({
  name: 'deleteInsight',
  summary: 'Delete one insight; it does not come back by itself from the same mentions',
  method: 'DELETE',
  path: '/api/insights/{issue_number}',
  access: 'member',
  params: InsightNumber,
  reply: z.object({ issue_number: z.int() }),
  errors: ['invalid_input', 'not_found'],
})

export const restoreInsight = route({
  name: 'restoreInsight',
  summary: 'Undo the deletion of one insight',
  method: 'POST',
  path: '/api/insights/{issue_number}/restore',
  access: 'member',
  params: InsightNumber,
  reply: z.object({ issue_number: z.int() }),
  errors: ['invalid_input', 'not_found'],
})

/**
 * Something that became of an insight. `grew`: `count` mentions came on that day. `to` and `from` are names or statuses, by
 * the event; `other` is the number of the other insight of a merge.
 */
export const InsightEvent = z.object({
  at: z.string(),
  event: z.enum([
    'created',
    'grew',
    'renamed',
    'status',
    'merged',
    'absorbed',
    'ended',
    'deleted',
    'restored',
    'tagged',
  ]),
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  tag: z.optional(z.string()),
  count: z.optional(z.int()),
  other: z.optional(z.int()),
})
export type InsightEvent = z.infer<typeof InsightEvent>

/** Mentions in each day, week (from Monday) or month in UTC, from the one that begins at `from` until now. */
export const Timeline = z.object({
  unit: z.enum(['day', 'week', 'month']),
  from: z.string(),
  counts: z.array(z.int()),
})
export type Timeline = z.infer<typeof Timeline>

/**
 * What the list has no room for. `people` and `sources` come with their mentions, most first, at most 50 each; mentions
 * whose author is not known are left out of `people`. `history` is newest first, at most 100.
 */
export const InsightDetail = z.object({
  issue_number: z.int(),
  people: z.array(z.object({ name: z.string(), mentions: z.int() })),
  sources: z.array(z.object({ source: z.string(), place: z.nullable(z.string()), mentions: z.int() })),
  timeline: Timeline,
  categories: z.array(Category),
  history: z.array(InsightEvent),
})
export type InsightDetail = z.infer<typeof InsightDetail>

export const getInsightDetail = route({
  name: 'getInsightDetail',
  summary: 'Who said it, where and when, and what became of one insight',
  method: 'GET',
  path: '/api/insights/{issue_number}/detail',
  access: 'member',
  params: InsightNumber,
  reply: InsightDetail,
  errors: ['invalid_input', 'not_found'],
})

/** A person's word on tags: a value, no value (`null`), or `automatic`, which hands the tag back to the engine. */
export const setInsightTags = route({
  name: 'setInsightTags',
  summary: 'Set tags of one insight by hand; what is not named stays as it is',
  method: 'PATCH',
  path: '/api/insights/{issue_number}/tags',
  access: 'member',
  params: InsightNumber,
  body: z.object({
    changes: z
      .array(
        z.union([
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
        ]),
      )
      .check(z.minLength(1), z.maxLength(300)),
  }),
  reply: z.object({ categories: z.array(Category) }),
  errors: ['invalid_input', 'not_found'],
})

import * as z from 'zod/mini'
import { FeedbackKind, KindCount } from './feedback/feedback-kind.ts'
import { TeamStatus } from './insights/team-status-value.ts'
import { route } from './route.ts'

/** created: enough evidence · pushed: sent to a destination · resolved: closed there · regressed: reported again after that. */
export const InsightStatus = z.enum(['created', 'pushed', 'resolved', 'regressed', 'ignored'])
export type InsightStatus = z.infer<typeof InsightStatus>

const MENTION = '[1-9][0-9]{0,14}:(0|[1-9][0-9]{0,3})'

/** The id of a mention as `listEvidence` returns it: the stored message and which of its statements. */
export const MENTION_ID = new RegExp(`^${MENTION}$`)
/** The id of a mention: see `MENTION_ID`. */
export const MentionId = z.string().check(z.regex(MENTION_ID, 'is not the id of a mention'))

/** The most mentions that `listUngrouped` compares with. */
export const MAX_LIKE = 20

/** Ids of mentions, separated by commas. */
export const MentionIds = z
  .string()
  .check(z.maxLength(500), z.regex(new RegExp(`^${MENTION}(,${MENTION}){0,${MAX_LIKE - 1}}$`), 'names no mentions'))

/**
 * One piece of evidence. `text` is an exact substring of the stored message, from `start` to `end` (UTF-16 offsets). `date_known` is false
 * where nobody said when it was written: `date` is then when it was imported. `date_only` is true where only the day is known: `date` is
 * then its midnight in UTC, and the same day in every time zone.
 */
export const Mention = z.object({
  id: z.optional(z.string()),
  text: z.string(),
  link: z.nullable(z.string()),
  date: z.string(),
  date_known: z.optional(z.boolean()),
  date_only: z.optional(z.boolean()),
  author: z.optional(z.nullable(z.string())),
  source: z.optional(z.string()),
  place: z.optional(z.nullable(z.string())),
  message: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  /** It is part of a conversation with other messages, which `getThread` returns. */
  in_thread: z.optional(z.boolean()),
  /** Its text was made of HTML, which `getThread` returns. */
  has_original: z.optional(z.boolean()),
  kind: z.optional(FeedbackKind),
  kind_set_by: z.optional(z.enum(['engine', 'person'])),
  /** What a language model read in it, in English, by which it is grouped. No evidence: that is `text`. */
  read_as: z.optional(z.string()),
  /** `person`: a person has corrected what was read. */
  read_as_set_by: z.optional(z.enum(['model', 'person'])),
})
export type Mention = z.infer<typeof Mention>

/** The value of one tag on an insight. `set_by`: the engine never changes a value that a person has set. */
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
 * of the last 12 weeks, oldest first; where all mentions are older, in the 12 weeks up to the newest one, which end at
 * `trend_end`. `insight-fields.ts` describes the other fields, which are stored.
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
  text_count: z.optional(z.int()),
  author_count: z.optional(z.int()),
  customer_count: z.optional(z.int()),
  revenue: z.optional(z.number()),
  first_seen: z.optional(z.nullable(z.string())),
  last_seen: z.optional(z.nullable(z.string())),
  first_seen_date_only: z.optional(z.boolean()),
  last_seen_date_only: z.optional(z.boolean()),
  trend: z.optional(z.array(z.number())),
  trend_end: z.optional(z.nullable(z.string())),
  sources: z.optional(z.array(z.string())),
  revision: z.optional(z.int()),
  main_kind: z.optional(FeedbackKind),
  team_status: z.optional(TeamStatus),
  assigned_to: z.optional(z.string()),
})
export type Insight = z.infer<typeof Insight>

/** The path parameter of the calls about one insight: its number in the workspace, 1 to 2,147,483,647. */
export const InsightNumber = z.object({
  issue_number: z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647)),
})

/**
 * Offers what changed in the list since a reply, and asks for it. A reply to `listInsights` with the value `offered` says that a later
 * request may have it with the value `wanted`, and the ETag of a reply as If-None-Match. The answer is then 304, or an `InsightsDelta`
 * with the value `since`, or the whole list.
 */
export const INSIGHTS_DELTA = 'X-Insights-Delta'

/** What changed in the list since a reply: these insights, whole, are new or different, and those are no longer in it. */
export const InsightsDelta = z.object({ changed: z.array(Insight), removed: z.array(z.int()) })
export type InsightsDelta = z.infer<typeof InsightsDelta>

/**
 * Takes no parameters. Each insight has its newest mentions: 20, or 3 in a list of more than 500. With `X-Insights-Delta` it can return changes
 * only: see `INSIGHTS_DELTA`.
 */
export const listInsights = route({
  name: 'listInsights',
  summary: 'All insights of the workspace, newest first; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/get-all',
  access: 'viewer',
  scope: 'read',
  reply: z.array(Insight),
  errors: [],
})

/** `cursor`: the `next_cursor` of the page before; null on the last page. `limit`: 1 to 200, by default 50. */
export const listEvidence = route({
  name: 'listEvidence',
  summary: 'The mentions of one insight, newest first, a page at a time',
  method: 'GET',
  path: '/api/insights/{issue_number}/evidence',
  access: 'viewer',
  scope: 'read',
  params: InsightNumber,
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
    /** Only what this customer said. */
    customer: z.optional(z.uuid()),
  }),
  reply: z.object({ mentions: z.array(Mention), next_cursor: z.nullable(z.string()) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/**
 * Mentions that are in no insight: no one else has reported the same, or no match was recognised. `words`: only
 * those whose message contains all of them, ignoring case, accents and width; text in double quotes has to match as it is. `courtesies`: also what carries no feedback, such as thanks. `total`: how many
 * there are without `words`, only on the first page; 10,000 means that many or more. A page may be shorter than requested, even empty,
 * and not the last: a search examines 20,000 mentions at a time. `like`: ids of mentions, separated by commas; the page then
 * contains those of the newest 2,000 that are most similar to these, the most similar first, and is the last. `kind`: only those; `kinds`: how
 * many there are of each, only on the first page without `like`, regardless of `words` and `kind`; `total` regards `kind`.
 */
export const listUngrouped = route({
  name: 'listUngrouped',
  summary: 'The mentions that are in no insight, newest first, a page at a time',
  method: 'GET',
  path: '/api/ungrouped',
  access: 'viewer',
  scope: 'read',
  query: z.object({
    cursor: z.optional(z.string().check(z.maxLength(200))),
    limit: z._default(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(200)), 50),
    words: z.optional(z.string().check(z.maxLength(200))),
    courtesies: z.optional(z.enum(['true', 'false'])),
    like: z.optional(MentionIds),
    kind: z.optional(FeedbackKind),
  }),
  reply: z.object({
    mentions: z.array(Mention),
    total: z.nullable(z.int()),
    next_cursor: z.nullable(z.string()),
    kinds: z.optional(z.array(KindCount)),
  }),
  errors: ['invalid_input'],
})

/**
 * `destinations`: ids of connections or connectors. `conflict`: none of them takes it now: paused, signed out, without a required choice, or
 * updated less than an hour ago. `not_configured`: none is connected, or one of those named is not.
 */
export const pushInsight = route({
  name: 'pushInsight',
  summary: 'Push one insight now; to every connected destination unless some are named',
  method: 'POST',
  path: '/api/insights/{issue_number}/push',
  access: 'member',
  audit: { action: 'insight.pushed', target: 'issue_number' },
  params: InsightNumber,
  body: z.object({ destinations: z.optional(z.array(z.string()).check(z.maxLength(20))) }),
  reply: z.object({ delivery_ids: z.array(z.string()) }),
  errors: ['invalid_input', 'not_found', 'conflict', 'not_configured'],
  example: ({ issue }) => ({ params: { issue_number: issue }, body: {} }),
})

/** Undone by `restoreInsight`. `not_found`: there is no such insight. */
export const deleteInsight = route({
  name: 'deleteInsight',
  summary: 'Delete one insight; the same mentions do not create it again',
  method: 'DELETE',
  path: '/api/insights/{issue_number}',
  access: 'member',
  audit: { action: 'insight.deleted', target: 'issue_number' },
  params: InsightNumber,
  reply: z.object({ issue_number: z.int() }),
  errors: ['invalid_input', 'not_found'],
  ends: 'insight',
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

export const restoreInsight = route({
  name: 'restoreInsight',
  summary: 'Undo the deletion of one insight',
  method: 'POST',
  path: '/api/insights/{issue_number}/restore',
  access: 'member',
  audit: { action: 'insight.restored', target: 'issue_number' },
  params: InsightNumber,
  reply: z.object({ issue_number: z.int() }),
  errors: ['invalid_input', 'not_found'],
  ends: 'insight',
  example: ({ deletedIssue }) => ({ params: { issue_number: deletedIssue } }),
})

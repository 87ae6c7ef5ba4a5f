import * as z from 'zod/mini'
import { route } from './route.ts'

/** How mentions are broken down; none: all together. plan, region and revenue are segments of the customers behind the mentions; attribute: the values of an attribute of their messages. */
export const REPORT_PARTS = [
  'none',
  'theme',
  'kind',
  'tag',
  'source',
  'plan',
  'region',
  'revenue',
  'attribute',
] as const
/** One of `REPORT_PARTS`. */
export const ReportPart = z.enum(REPORT_PARTS)
export type ReportPart = z.infer<typeof ReportPart>

/** The lower bounds of the revenue bands of a report, ascending. */
export const REVENUE_BANDS = [0, 1_000, 10_000, 100_000, 1_000_000] as const

/** How many days a report may have. */
export const MAX_REPORT_DAYS = 1_830

const Day = z.iso.date()

/**
 * Mentions in one part. `key`: names it in its kind of parts: the id of a theme, a kind, a tag's value, a connector, a customer's plan or region, the
 * lower bound of a revenue band, an attribute's value; null: in none, of no kind, or not known. `label`: of a theme or a value. `counts`: as many as the report has
 * `starts`. `previous`: in the previous period of the same length.
 */
const ReportSeries = z.object({
  key: z.nullable(z.string()),
  label: z.nullable(z.string()),
  counts: z.array(z.int()),
  total: z.int(),
  previous: z.int(),
})
export type ReportSeries = z.infer<typeof ReportSeries>

/**
 * Mentions of the shown insights by the day on which they were said in `time_zone`, that of the workspace, from `from` to `to`, both included. `starts`: the first day of each
 * day, week (from Monday) or month; the first one is `from`. `series`: most mentions first; those of less are together in `others`. `tags`:
 * the names of tags that mentions can be divided by. `attribute`: the name of the one by whose values they are. `all`: of everything. `first_day` and
 * `last_day`: of the mentions of all shown insights, whatever the span; null: there are none.
 */
export const Report = z.object({
  time_zone: z._default(z.string(), 'UTC'),
  from: z.string(),
  to: z.string(),
  previous_from: z.string(),
  unit: z.enum(['day', 'week', 'month']),
  starts: z.array(z.string()),
  all: ReportSeries,
  series: z.array(ReportSeries),
  others: z.nullable(ReportSeries),
  tag: z.nullable(z.string()),
  tags: z.array(z.string()),
  attribute: z.nullish(z.string()),
  first_day: z._default(z.nullable(z.string()), null),
  last_day: z._default(z.nullable(z.string()), null),
})
export type Report = z.infer<typeof Report>

/**
 * What a report is of. `attribute`: by the values of which one, where the report is by attribute. `attributes`: only mentions whose message has one of the
 * chosen values of each name, such as `rating=1&rating=2&plan=Pro`, in the encoding of a query string.
 */
const asked = {
  from: Day,
  to: Day,
  by: z._default(ReportPart, 'none'),
  tag: z.optional(z.string().check(z.maxLength(200))),
  attribute: z.optional(z.string().check(z.maxLength(100))),
  attributes: z.optional(z.string().check(z.maxLength(2_000))),
}

/**
 * `from` and `to`: days (YYYY-MM-DD), both included, at most `MAX_REPORT_DAYS`. `too_many_requests`: reports take turns, and this one did not get a
 * turn within ten seconds.
 */
export const getReport = route({
  name: 'getReport',
  summary:
    'Mentions over time, by theme, kind, tag, source, customer segment or attribute, compared with the previous period of the same length',
  method: 'GET',
  path: '/api/insights/report',
  access: 'viewer',
  scope: 'read',
  query: z.object(asked),
  reply: Report,
  errors: ['invalid_input', 'too_many_requests'],
  example: () => ({ query: { from: '2026-01-01', to: '2026-03-31', by: 'theme' } }),
})

/** An insight with its mentions in the span of a report and in the previous period. */
const ReportInsight = z.object({ issue_number: z.int(), name: z.string(), total: z.int(), previous: z.int() })
type ReportInsight = z.infer<typeof ReportInsight>

/** `key`: of a part of the report; without it, the part in none, and in a report by none all mentions. `others`: the insights beyond those listed. */
export const getReportPart = route({
  name: 'getReportPart',
  summary: 'The insights behind a part of a report, most mentions first',
  method: 'GET',
  path: '/api/insights/report/part',
  access: 'viewer',
  scope: 'read',
  query: z.object({ ...asked, key: z.optional(z.string().check(z.maxLength(1_000))) }),
  reply: z.object({
    insights: z.array(ReportInsight),
    others: z.object({ insights: z.int(), total: z.int(), previous: z.int() }),
  }),
  errors: ['invalid_input', 'too_many_requests'],
  example: () => ({ query: { from: '2026-01-01', to: '2026-03-31', by: 'theme' } }),
})

/** What most of a change is of: a customer segment, a source, a theme or an insight. `key` and `label`: as in a part by it, or an insight's number and name. */
const MainShare = z.object({
  by: z.enum(['plan', 'region', 'source', 'theme', 'insight']),
  key: z.string(),
  label: z.nullable(z.string()),
})
export type MainShare = z.infer<typeof MainShare>

/**
 * A part, or an insight where the report is by none or the insight is in no theme, that has clearly more or fewer mentions than before. `since`: the day of
 * the span on which that began; null: before or at once. `mostly`: null: of nothing in particular.
 */
const ReportChange = z.object({
  issue_number: z.nullable(z.int()),
  key: z.nullable(z.string()),
  label: z.nullable(z.string()),
  total: z.int(),
  previous: z.int(),
  since: z.nullable(z.string()),
  mostly: z.nullable(MainShare),
})
export type ReportChange = z.infer<typeof ReportChange>

/**
 * `changes`: largest first, at most three. `excluded`: what was said in the span and is not in the report: small talk, mentions of emerging insights, of
 * deleted ones, and those in no insight.
 */
export const getReportChanges = route({
  name: 'getReportChanges',
  summary: 'What changed against the previous period of a report, and what the report does not count',
  method: 'GET',
  path: '/api/insights/report/changes',
  access: 'viewer',
  scope: 'read',
  query: z.object(asked),
  reply: z.object({
    changes: z.array(ReportChange),
    excluded: z.object({ ungrouped: z.int(), emerging: z.int(), small_talk: z.int(), deleted: z.int() }),
  }),
  errors: ['invalid_input', 'too_many_requests'],
  example: () => ({ query: { from: '2026-01-01', to: '2026-03-31', by: 'theme' } }),
})

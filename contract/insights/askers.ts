import * as z from 'zod/mini'
import { InsightNumber } from '../insights.ts'
import { route } from '../route.ts'

const PersonId = z.string().check(z.regex(/^[\da-f]{32}$/))

/**
 * A person in an insight, with their newest mention of it. `person` identifies them in this workspace; a message without an author is a person of
 * its own, whose `name` is null. `date_known`, `date_only`: as of a mention. `told`: who told them about it, and when; null: nobody did.
 * `merged_from`: they were told about that insight, which was merged into this one later.
 */
export const Asker = z.object({
  person: z.string(),
  name: z.nullable(z.string()),
  mentions: z.int(),
  date: z.string(),
  date_known: z.optional(z.boolean()),
  date_only: z.optional(z.boolean()),
  source: z.string(),
  place: z.nullable(z.string()),
  link: z.nullable(z.string()),
  text: z.string(),
  told: z.nullable(z.object({ by: z.string(), at: z.string(), merged_from: z.nullable(z.int()) })),
})
export type Asker = z.infer<typeof Asker>

/** How many people a list has at most; the file has all. */
export const MAX_ASKERS = 200

/** The people who asked for an insight, newest mention first, at most `MAX_ASKERS`. `total` and `told` count all of them. */
export const listAskers = route({
  name: 'listAskers',
  summary: 'The people in an insight, with their newest mention, and who has been told about it',
  method: 'GET',
  path: '/api/insights/{issue_number}/askers',
  access: 'viewer',
  scope: 'read',
  params: InsightNumber,
  reply: z.object({ total: z.int(), told: z.int(), askers: z.array(Asker) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** The reply is the file itself. Cells that a spreadsheet would take for a formula begin with an apostrophe. */
export const exportAskers = route({
  name: 'exportAskers',
  summary: 'All people in an insight as a CSV file',
  method: 'POST',
  path: '/api/insights/{issue_number}/askers/export',
  access: 'viewer',
  audit: { action: 'people.exported', target: 'issue_number' },
  params: InsightNumber,
  reply: z.string(),
  errors: ['invalid_input', 'not_found', 'too_many_requests'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** `people`: those named, or everyone currently in the insight. `changed`: those whose mark changed, so that the same call with them undoes it. */
export const setTold = route({
  name: 'setTold',
  summary: 'Mark people in an insight as told, or as not told',
  method: 'PUT',
  path: '/api/insights/{issue_number}/told',
  access: 'member',
  audit: { action: 'people.told', target: 'issue_number' },
  params: InsightNumber,
  body: z.object({
    people: z.union([z.literal('all'), z.array(PersonId).check(z.maxLength(20_000))]),
    told: z.boolean(),
  }),
  reply: z.object({ changed: z.array(z.string()) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue }, body: { people: 'all', told: true } }),
})

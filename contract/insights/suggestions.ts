import * as z from 'zod/mini'
import { InsightNumber, Mention } from '../insights.ts'
import { route } from '../route.ts'

/** `score`: how certain it is relative to other suggestions, 0 to 1. */
export const SuggestedMention = z.extend(Mention, { score: z.number() })
export type SuggestedMention = z.infer<typeof SuggestedMention>

/**
 * Accept one with the correction `add`, reject one with `decline`. Where fewer than 40% of the last answers were accepted, only those as
 * certain as accepted ones are listed.
 */
export const listSuggestions = route({
  name: 'listSuggestions',
  summary: 'Mentions in no insight that may belong to this one, most certain first',
  method: 'GET',
  path: '/api/insights/{issue_number}/suggestions',
  access: 'viewer',
  scope: 'read',
  params: InsightNumber,
  reply: z.object({ total: z.int(), mentions: z.array(SuggestedMention) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** Insights that look like one subject, most mentions first, each with its newest two mentions. Accept with corrections of the kind `merge`. */
export const MergeSuggestion = z.object({
  score: z.number(),
  insights: z.array(
    z.object({
      issue_number: z.int(),
      name: z.string(),
      mention_count: z.int(),
      people_count: z.int(),
      evidence: z.array(Mention),
    }),
  ),
})
export type MergeSuggestion = z.infer<typeof MergeSuggestion>

/** `groups`: the first 20 of `total`. */
export const listMergeSuggestions = route({
  name: 'listMergeSuggestions',
  summary: 'Insights that look like one subject, most alike first; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/merge-suggestions',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ total: z.int(), groups: z.array(MergeSuggestion) }),
  errors: [],
})

const IssueNumbers = z.array(z.int().check(z.gte(1), z.lte(2_147_483_647))).check(z.minLength(2), z.maxLength(100))

/** No two of these are suggested to be merged again. */
export const declineMerge = route({
  name: 'declineMerge',
  summary: 'Mark these insights as different issues',
  method: 'POST',
  path: '/api/insights/merge-suggestions/declines',
  access: 'member',
  audit: { action: 'merge.declined' },
  body: z.object({ issue_numbers: IssueNumbers }),
  reply: z.object({ decline_id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue, similarIssue }) => ({ body: { issue_numbers: [issue, similarIssue] } }),
})

export const undoDeclinedMerge = route({
  name: 'undoDeclinedMerge',
  summary: 'Undo that: merging these insights may be suggested again',
  method: 'DELETE',
  path: '/api/insights/merge-suggestions/declines/{decline_id}',
  access: 'member',
  audit: { action: 'merge.declined-undone', target: 'decline_id' },
  params: z.object({ decline_id: z.uuid() }),
  reply: z.object({ decline_id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ declinedMerge }) => ({ params: { decline_id: declinedMerge } }),
})

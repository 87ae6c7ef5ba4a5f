import * as z from 'zod/mini'
import { InsightNumber, MentionIds } from '../insights.ts'
import { route } from '../route.ts'

/** `issue`: an insight; or `like`: ids of mentions, separated by commas. Exactly one of the two. */
export const listAlike = route({
  name: 'listAlike',
  summary: 'The insights most similar in meaning to an insight or to some mentions, most similar first, 100 at most',
  method: 'GET',
  path: '/api/insights/alike',
  access: 'viewer',
  scope: 'read',
  query: z.object({
    issue: z.optional(InsightNumber.shape.issue_number),
    like: z.optional(MentionIds),
  }),
  reply: z.object({ issue_numbers: z.array(z.int()) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ query: { issue } }),
})

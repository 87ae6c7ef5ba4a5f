import * as z from 'zod/mini'
import { route } from '../route.ts'

/**
 * The reply is the file itself, not JSON. CSV: UTF-8 with a line for each mention; cells that a spreadsheet would take for a formula begin with an
 * apostrophe. JSONL: a line for each insight, with all its mentions in `evidence`. `issue_numbers`: only these, in this order; unknown ones are
 * left out. A failure while the file is being sent ends the connection.
 */
export const exportInsights = route({
  name: 'exportInsights',
  summary: 'Insights with all their mentions as a file, CSV or JSONL',
  method: 'POST',
  path: '/api/insights/export',
  access: 'viewer',
  audit: { action: 'insights.exported' },
  body: z.object({
    format: z.enum(['csv', 'jsonl']),
    issue_numbers: z.optional(z.array(z.int().check(z.gte(1), z.lte(2_147_483_647))).check(z.maxLength(20_000))),
  }),
  reply: z.string(),
  errors: ['invalid_input', 'too_many_requests'],
  example: () => ({ body: { format: 'csv' } }),
})

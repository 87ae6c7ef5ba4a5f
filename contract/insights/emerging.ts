import * as z from 'zod/mini'
import { CorrectionTaken } from '../corrections.ts'
import { Mention } from '../insights.ts'
import { route } from '../route.ts'

/**
 * Mentions of similar meaning with less evidence than an insight needs. `emerging_id` is no issue number: it gets one when
 * it becomes an insight, by more mentions or because a person keeps it. `evidence`: the newest three mentions. Dates are ISO 8601 in UTC.
 */
export const EmergingInsight = z.object({
  emerging_id: z.int(),
  name: z.string(),
  summary: z.string(),
  mention_count: z.int(),
  people_count: z.int(),
  first_seen: z.nullable(z.string()),
  last_seen: z.nullable(z.string()),
  evidence: z.array(Mention),
})
export type EmergingInsight = z.infer<typeof EmergingInsight>

const EmergingId = z.object({
  emerging_id: z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(2_147_483_647)),
})

/** `total`: how many there are, also when more than the 200 that are listed. */
export const listEmerging = route({
  name: 'listEmerging',
  summary: 'Insights that are emerging, most mentions first, at most 200; answers 304 when nothing has changed',
  method: 'GET',
  path: '/api/insights/emerging',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ total: z.int(), insights: z.array(EmergingInsight) }),
  errors: [],
})

/** A correction that creates an insight of all its mentions: see `getCorrection` for its number, and `undoCorrection`. */
export const keepEmerging = route({
  name: 'keepEmerging',
  summary: 'Make an emerging insight a regular one, with all its mentions',
  method: 'POST',
  path: '/api/insights/emerging/{emerging_id}/keep',
  access: 'member',
  audit: { action: 'insight.made' },
  params: EmergingId,
  reply: CorrectionTaken,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ emerging }) => ({ params: { emerging_id: emerging } }),
})

export const dismissEmerging = route({
  name: 'dismissEmerging',
  summary: 'Dismiss one emerging insight; the same mentions do not bring it back',
  method: 'DELETE',
  path: '/api/insights/emerging/{emerging_id}',
  access: 'member',
  audit: { action: 'emerging-insight.dismissed', target: 'emerging_id' },
  params: EmergingId,
  reply: z.object({ emerging_id: z.int() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ emerging }) => ({ params: { emerging_id: emerging } }),
})

export const restoreEmerging = route({
  name: 'restoreEmerging',
  summary: 'Undo the dismissal of one emerging insight',
  method: 'POST',
  path: '/api/insights/emerging/{emerging_id}/restore',
  access: 'member',
  audit: { action: 'emerging-insight.restored', target: 'emerging_id' },
  params: EmergingId,
  reply: z.object({ emerging_id: z.int() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ dismissedEmerging }) => ({ params: { emerging_id: dismissedEmerging } }),
})

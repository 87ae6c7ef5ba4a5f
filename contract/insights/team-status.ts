import * as z from 'zod/mini'
import { route } from '../route.ts'
import { TeamStatus } from './team-status-value.ts'

/**
 * The team status of one insight; null: none. `automatic`: no person's choice, so that a tracker may set it. `replaces`: the insight is left
 * as it is unless this is its team status now, as in the undo of an earlier change.
 */
export const TeamStatusChange = z.object({
  issue_number: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  team_status: z.nullable(TeamStatus),
  automatic: z.optional(z.boolean()),
  replaces: z.optional(z.nullable(TeamStatus)),
})
export type TeamStatusChange = z.infer<typeof TeamStatusChange>

/** The most insights of one call. */
export const MAX_TEAM_STATUS_CHANGES = 1_000

/** All of them are changed, or none. `undo`: what the same call needs to undo it, for those that changed. */
export const setTeamStatus = route({
  name: 'setTeamStatus',
  summary: 'Set the team status of insights by hand',
  method: 'PUT',
  path: '/api/insights/team-status',
  access: 'member',
  audit: { action: 'insight.team-status-set' },
  body: z.object({ changes: z.array(TeamStatusChange).check(z.minLength(1), z.maxLength(MAX_TEAM_STATUS_CHANGES)) }),
  reply: z.object({ undo: z.array(TeamStatusChange) }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ body: { changes: [{ issue_number: issue, team_status: 'planned' }] } }),
})

import * as z from 'zod/mini'
import { route } from '../route.ts'

const Person = z.nullable(z.uuid())

/**
 * Who works on an insight: the account of a member or an owner; null: nobody. `replaces`: the insight is left as it is unless it is assigned to
 * this person now, as in the undo of an earlier change.
 */
export const AssignmentChange = z.object({
  issue_number: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  assigned_to: Person,
  replaces: z.optional(Person),
})
export type AssignmentChange = z.infer<typeof AssignmentChange>

/** The most insights of one call. */
export const MAX_ASSIGNMENTS = 1_000

/**
 * All of them are changed, or none. `undo`: what the same call needs to undo it, for those that changed. Viewers cannot be assigned work that
 * they may not do. A person who is assigned something by somebody else gets an e-mail, unless they turned that off.
 */
export const assignInsights = route({
  name: 'assignInsights',
  summary: 'Assign insights to a person in the workspace, or to nobody',
  method: 'PUT',
  path: '/api/insights/assigned',
  access: 'member',
  audit: { action: 'insight.assigned' },
  body: z.object({ changes: z.array(AssignmentChange).check(z.minLength(1), z.maxLength(MAX_ASSIGNMENTS)) }),
  reply: z.object({ undo: z.array(AssignmentChange) }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ issue }) => ({ body: { changes: [{ issue_number: issue, assigned_to: null }] } }),
})

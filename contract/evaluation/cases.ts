import * as z from 'zod/mini'
import { route } from '../route.ts'

/**
 * Whether corrections of a workspace may be used as labelled cases, with which changes to the engine, prompts and models are tested. Off until an owner
 * allows it. `corrections`: those that are in effect and could become cases.
 */
export const CaseConsent = z.object({
  allowed: z.boolean(),
  given_by: z.nullable(z.string()),
  given_at: z.nullable(z.string()),
  corrections: z.int(),
})
export type CaseConsent = z.infer<typeof CaseConsent>

export const getCaseConsent = route({
  name: 'getCaseConsent',
  summary: 'Whether corrections of the workspace may be used as labelled cases, and how many there are',
  method: 'GET',
  path: '/api/case-consent',
  access: 'viewer',
  reply: CaseConsent,
  errors: [],
})

/** Cases are not stored: without consent there are none. Files that were exported before stay with the operator. */
export const setCaseConsent = route({
  name: 'setCaseConsent',
  summary: 'Allow that corrections of the workspace are used as labelled cases, or revoke that',
  method: 'PUT',
  path: '/api/case-consent',
  access: 'owner',
  audit: { action: 'case-consent.changed' },
  body: z.strictObject({ allowed: z.boolean() }),
  reply: CaseConsent,
  errors: ['invalid_input'],
  example: () => ({ body: { allowed: false } }),
})

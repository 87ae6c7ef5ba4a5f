import * as z from 'zod/mini'
import { route } from './route.ts'

/** After how many days a link may expire. */
export const LINK_DAYS = [7, 30, 90] as const

const IssueNumber = z.int().check(z.gte(1), z.lte(2_147_483_647))

/**
 * A read-only link to an insight or to a view (the other one is null), for people without an account. `hide_names`: no authors, and none of their
 * names and e-mail addresses in the quotes. `hide_quotes`: nothing that customers wrote: no quotes, and no summary, which the engine builds from
 * their sentences. `made_by`: the e-mail address of the member who made it.
 */
export const SharedLink = z.object({
  id: z.string(),
  issue_number: z.nullable(z.int()),
  view_id: z.nullable(z.string()),
  hide_names: z.boolean(),
  hide_quotes: z.boolean(),
  made_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  expired: z.boolean(),
})
export type SharedLink = z.infer<typeof SharedLink>

export const listSharedLinks = route({
  name: 'listSharedLinks',
  summary: 'The read-only links of the workspace, newest first; their URLs are shown once, when they are created',
  method: 'GET',
  path: '/api/shared-links',
  access: 'member',
  reply: z.object({ links: z.array(SharedLink) }),
  errors: [],
})

/** Takes exactly one of `issue_number` and `view_id`. `path` is the address of the page on this server, which is not stored and cannot be shown again. */
export const createSharedLink = route({
  name: 'createSharedLink',
  summary: 'Create a read-only link to an insight or a view, whose URL is shown once',
  method: 'POST',
  path: '/api/shared-links',
  access: 'member',
  audit: 'none',
  body: z.object({
    issue_number: z.optional(IssueNumber),
    view_id: z.optional(z.uuid()),
    expires_in_days: z.literal(LINK_DAYS),
    hide_names: z.boolean(),
    hide_quotes: z.boolean(),
  }),
  reply: z.object({ link: SharedLink, path: z.string() }),
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ issue }) => ({
    body: { issue_number: issue, expires_in_days: 7, hide_names: true, hide_quotes: false },
  }),
})

/** Takes effect in all processes at once. `not_found`: the workspace has no such link. */
export const revokeSharedLink = route({
  name: 'revokeSharedLink',
  summary: 'Revoke a read-only link: its page is unavailable at once',
  method: 'DELETE',
  path: '/api/shared-links/{id}',
  access: 'member',
  audit: 'none',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ sharedLink }) => ({ params: { id: sharedLink } }),
})

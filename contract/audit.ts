import * as z from 'zod/mini'
import { route } from './route.ts'

/**
 * One recorded action. `actor` is the e-mail address of the person at the time, `operator` for the command line, or empty
 * when no one is known; `address` and `agent` give the origin; `account_id` is the account it concerns. `action` is a name
 * such as `session.refused`; `target` is what it was done to. It contains no secrets.
 */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  actor: z.string(),
  actor_id: z.nullable(z.string()),
  account_id: z.nullable(z.string()),
  target: z.nullable(z.string()),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  address: z.nullable(z.string()),
  agent: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Moment = z.optional(z.iso.datetime({ offset: true }))
const filter = { action: z.optional(z.string().check(z.maxLength(60))), since: Moment, until: Moment }

/** `cursor`: the `next_cursor` of the page before. `since` and `until`: times with an offset (ISO 8601). `next_cursor`: null on the last page. */
export const listAudit = route({
  name: 'listAudit',
  summary: 'What was done in the workspace, newest first, 100 at a time',
  method: 'GET',
  path: '/api/admin/audit',
  access: 'admin',
  query: z.object({ cursor: z.optional(z.string().check(z.regex(/^\d{1,15}$/))), ...filter }),
  reply: z.object({ entries: z.array(AuditEntry), next_cursor: z.nullable(z.string()) }),
  errors: ['invalid_input'],
})

/** The reply is the file itself, not JSON: the newest 50,000 matching entries. */
export const exportAudit = route({
  name: 'exportAudit',
  summary: 'The same as a file, CSV or JSONL',
  method: 'GET',
  path: '/api/admin/audit/export',
  access: 'admin',
  query: z.object({ format: z.optional(z.enum(['csv', 'jsonl'])), ...filter }),
  reply: z.string(),
  errors: ['invalid_input', 'too_many_requests'],
})

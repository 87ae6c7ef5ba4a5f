import * as z from 'zod/mini'
import { InsightNumber, MentionId } from '../insights.ts'
import { route } from '../route.ts'

/** One message of a conversation. `role`: who wrote it, a customer or someone of the own team. `date_known`, `date_only`: as of a mention. `here`: the message of the mention; then `original` is the HTML that
 * its text was made of, where there is one. */
export const ThreadMessage = z.object({
  role: z.enum(['customer', 'agent']),
  text: z.string(),
  original: z.optional(z.string()),
  author: z.nullable(z.string()),
  date: z.string(),
  date_known: z.optional(z.boolean()),
  date_only: z.optional(z.boolean()),
  link: z.nullable(z.string()),
  /** Names of attached files. */
  attachments: z.array(z.string()),
  here: z.boolean(),
})
export type ThreadMessage = z.infer<typeof ThreadMessage>

/**
 * The conversation around a mention, oldest message first. `attributes`: what the provider knows about it, such as its subject.
 * `earlier` and `later`: whether there are more messages than shown.
 */
export const Thread = z.object({
  messages: z.array(ThreadMessage),
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  earlier: z.boolean(),
  later: z.boolean(),
})
export type Thread = z.infer<typeof Thread>

/** `not_found`: the insight does not have this mention. */
export const getThread = route({
  name: 'getThread',
  summary:
    'The conversation around one mention, with what the own team wrote: at most 10 messages before and 10 after it',
  method: 'GET',
  path: '/api/insights/{issue_number}/evidence/{id}/thread',
  access: 'viewer',
  scope: 'read',
  params: z.extend(InsightNumber, { id: MentionId }),
  reply: Thread,
  errors: ['invalid_input', 'not_found'],
  example: ({ issue, mention }) => ({ params: { issue_number: issue, id: mention } }),
})

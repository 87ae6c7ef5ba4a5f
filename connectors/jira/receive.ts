import * as z from 'zod/mini'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { verifyToken } from './webhook-token.ts'

const Id = z.union([z.string().check(z.regex(/^\d{1,18}$/)), z.int()])
const Delivery = z.object({
  webhookEvent: z.string(),
  timestamp: z.optional(z.number()),
  issue: z.optional(
    z.object({
      id: Id,
      fields: z.optional(z.nullable(z.object({ labels: z.optional(z.nullable(z.array(z.string()))) }))),
    }),
  ),
})

const FOLLOWED = new Set(['jira:issue_updated', 'jira:issue_deleted'])
const OUR_LABEL = /^gs-[0-9a-f]{8}-/
const reply = { status: 200, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of the connection's webhook, which has a token that is signed with the app's secret. The token does not cover the
 * body, so that its content is not trusted: the issue is read again. Issues without our label are skipped.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  if (!request.key) throw new Rejected('Events from Jira are accepted at the address of a connection only')
  verifyToken(secrets.client_secret ?? '', request, now)
  const parsed = Delivery.safeParse(parseJson(Buffer.from(request.body).toString('utf8')))
  if (!parsed.success) throw new Rejected('The event from Jira could not be parsed')
  const { webhookEvent, timestamp, issue } = parsed.data
  if (!FOLLOWED.has(webhookEvent) || !issue) return { reply, events: [] }
  const { labels } = issue.fields ?? {}
  if (labels && !labels.some((label) => OUR_LABEL.test(label))) return { reply, events: [] }
  const identifier = request.headers['x-atlassian-webhook-identifier']
  const own = typeof identifier === 'string' && /^[\x21-\x7e]{1,200}$/.test(identifier) ? identifier : null
  const id = own ?? `${webhookEvent}:${issue.id}:${timestamp ?? ''}`
  return { reply, events: [{ id, account: '', payload: { issue: String(issue.id) } }] }
}

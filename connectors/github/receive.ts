import * as z from 'zod/mini'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type HmacScheme, verifyHmac } from '../kit/webhooks/verify-hmac.ts'

const SCHEME: HmacScheme = {
  who: 'GitHub',
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-hub-signature-256',
  prefix: 'sha256=',
}

/** What may close, reopen, delete or move an issue. */
const FOLLOWED = new Set(['closed', 'reopened', 'deleted', 'transferred'])
const ENDS = new Set(['deleted', 'suspend'])

const Delivery = z.object({ action: z.string(), installation: z.object({ id: z.int() }) })
const OfIssue = z.object({
  issue: z.object({
    id: z.int(),
    number: z.int(),
    user: z.optional(z.nullable(z.object({ login: z.string() }))),
  }),
  repository: z.object({ full_name: z.string() }),
})

const reply = { status: 202, type: 'text/plain; charset=utf-8', body: '' }

/**
 * Parses a request of the app's webhook. Only changes of an issue's state, place and existence, and the end of an installation, become
 * events, without any text of the issue. GitHub signs no time: a request that is sent again has the id of the first. A forged or malformed
 * request is `Rejected`.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  verifyHmac(SCHEME, secrets.webhook_secret ?? '', request, now)
  const { 'x-github-event': type, 'x-github-delivery': id } = request.headers
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) throw new Rejected('The event from GitHub has no valid id')
  const body = parseJson(Buffer.from(request.body).toString('utf8'))
  if (typeof body !== 'object' || body === null) throw new Rejected('The event from GitHub could not be parsed')
  const delivery = Delivery.safeParse(body).data
  const payload = delivery && payloadOf(type, delivery.action, body)
  if (!payload) return { reply, events: [] }
  return { reply, events: [{ id, account: String(delivery.installation.id), payload }] }
}

function payloadOf(type: unknown, action: string, body: object): Record<string, unknown> | null {
  if (type === 'installation') return ENDS.has(action) ? { kind: 'ended', action } : null
  if (type !== 'issues' || !FOLLOWED.has(action)) return null
  const parsed = OfIssue.safeParse(body)
  if (!parsed.success) throw new Rejected('The event from GitHub could not be parsed')
  const { issue, repository } = parsed.data
  const { id, number, user } = issue
  return { kind: 'issue', id, number, repository: repository.full_name, creator: user?.login ?? null }
}

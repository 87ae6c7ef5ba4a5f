import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import { ACCOUNT_ID } from './account.ts'
import { invalid, notFound, ok, type Reply } from './endpoints.ts'
import type { StoredTicket } from './records.ts'
import { eventDetail, type Json } from './views.ts'

type Webhook = {
  id: string
  name: string
  status: string
  endpoint: string
  http_method: string
  request_format: string
  subscriptions: string[]
  secret: string
}

/**
 * Webhooks with event subscriptions: each has its own signing secret, and events are signed with the time of sending. `forged`: signed with
 * another secret. `late`: sent too late.
 */
export class Webhooks extends Deliveries<'forged' | 'late'> {
  readonly #now: () => number
  readonly #hooks = new Map<string, Webhook>()

  constructor(now: () => number) {
    super([0, 0, 0])
    this.#now = now
  }

  all = (): readonly Webhook[] => [...this.#hooks.values()]

  list = (): Reply => ok({ webhooks: this.all().map(view), meta: { has_more: false } })

  create(body: Json): Reply {
    const asked = (body.webhook ?? {}) as Partial<Webhook>
    const { name, endpoint = '', http_method, request_format, subscriptions = [] } = asked
    if (!name || !http_method || !request_format || !URL.canParse(endpoint)) return invalid('webhook is not valid')
    if (subscriptions.some((one) => !/^zen:event-type:[a-z_]+\.[a-z_]+$/.test(one))) return invalid('subscriptions')
    const id = `01${randomBytes(12).toString('hex').toUpperCase()}`
    const secret = randomBytes(32).toString('base64')
    const made = { id, name, status: 'active', endpoint, http_method, request_format, subscriptions, secret }
    this.#hooks.set(id, made)
    return { status: 201, body: { webhook: view(made) } }
  }

  remove = (id: string): Reply => (this.#hooks.delete(id) ? { status: 204, body: null } : notFound())

  secret(id: string): Reply {
    const hook = this.#hooks.get(id)
    return hook ? ok({ signing_secret: { algorithm: 'SHA256', secret: hook.secret } }) : notFound()
  }

  /** Switches all of them off, as an administrator can. */
  disable(): void {
    for (const hook of this.#hooks.values()) hook.status = 'inactive'
  }

  /** Sends an event to those that subscribe to it, in the background. */
  send(name: string, ticket: StoredTicket, event: Json = {}): void {
    const type = `zen:event-type:ticket.${name}`
    const body = JSON.stringify({
      type,
      account_id: ACCOUNT_ID,
      id: randomUUID(),
      time: new Date(this.#now()).toISOString(),
      zendesk_event_version: '2022-11-06',
      subject: `zen:ticket:${ticket.id}`,
      detail: eventDetail(ticket),
      event: { meta: { sequence: { id: randomUUID(), position: 1, total: 1 } }, ...event },
    })
    for (const { id, endpoint, status, subscriptions, secret } of this.all()) {
      if (status !== 'active' || !subscriptions.includes(type)) continue
      this.deliver((fault) => {
        const key = fault === 'forged' ? `${secret}-of-another` : secret
        const headers = () => this.#headers(id, body, key, fault === 'late' ? 600_000 : 0)
        return { url: endpoint, body, headers }
      })
    }
  }

  /** `age`: how many milliseconds ago the event was sent. */
  #headers(id: string, body: string, secret: string, age: number): Record<string, string> {
    const timestamp = new Date(this.#now() - age).toISOString().replace(/\.\d+Z$/, 'Z')
    const signature = createHmac('sha256', secret).update(timestamp).update(body)
    return {
      'content-type': 'application/json; charset=utf-8',
      'x-zendesk-account-id': String(ACCOUNT_ID),
      'x-zendesk-webhook-id': id,
      'x-zendesk-webhook-invocation-id': randomUUID(),
      'x-zendesk-webhook-signature': signature.digest('base64'),
      'x-zendesk-webhook-signature-timestamp': timestamp,
    }
  }
}

function view(hook: Webhook): Json {
  const { secret: _, ...shown } = hook
  return shown
}

import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { ACCOUNT_ID } from './account.ts'
import { invalid, notFound, ok, type Reply } from './endpoints.ts'
import type { StoredTicket } from './records.ts'
import { eventDetail, type Json } from './views.ts'

/** How an event can be wrong: signed with another secret, sent too late, sent twice, or never. */
export type EventFault = 'forged' | 'late' | 'doubled' | 'lost'

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
type Sent = { url: string; body: string; headers: Record<string, string> }

export type Webhooks = {
  list(): Reply
  create(body: Json): Reply
  remove(id: string): Reply
  secret(id: string): Reply
  /** Switches all of them off, as an administrator can. */
  disable(): void
  all(): readonly Webhook[]
  /** Sends an event to those that subscribe to it, in the background. */
  send(type: string, ticket: StoredTicket, event?: Json): void
  fail(fault: EventFault, times: number): void
  /** Sends the bytes of the last event again, with their old signature; returns the status. */
  replay(): Promise<number | null>
  /** Resolves once no event is being sent. */
  settled(): Promise<void>
  stop(): void
}

const RETRIES = 3

/** Webhooks with event subscriptions: each has its own signing secret, and events are signed with the time of sending. */
export function createWebhooks(now: () => number): Webhooks {
  const hooks = new Map<string, Webhook>()
  const faults: EventFault[] = []
  const stopped = new AbortController()
  let last: Sent | null = null
  let queue: Promise<unknown> = Promise.resolve()

  const view = ({ id, name, status, endpoint, http_method, request_format, subscriptions }: Webhook): Json => {
    return { id, name, status, endpoint, http_method, request_format, subscriptions }
  }
  const sign = (hook: Webhook, body: string, fault: EventFault | undefined): Sent => {
    const timestamp = new Date(now() - (fault === 'late' ? 600_000 : 0)).toISOString().replace(/\.\d+Z$/, 'Z')
    const secret = fault === 'forged' ? `${hook.secret}-of-another` : hook.secret
    const signature = createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('base64')
    return {
      url: hook.endpoint,
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-zendesk-account-id': String(ACCOUNT_ID),
        'x-zendesk-webhook-id': hook.id,
        'x-zendesk-webhook-invocation-id': randomUUID(),
        'x-zendesk-webhook-signature': signature,
        'x-zendesk-webhook-signature-timestamp': timestamp,
      },
    }
  }
  const post = async ({ url, body, headers }: Sent): Promise<number> => {
    try {
      const answer = await fetch(url, { method: 'POST', body, headers, signal: stopped.signal })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }
  const deliver = async (hook: Webhook, body: string, fault: EventFault | undefined) => {
    if (fault === 'lost') return
    for (let time = 0; time < (fault === 'doubled' ? 2 : 1); time += 1) {
      for (let attempt = 0; attempt <= RETRIES && !stopped.signal.aborted; attempt += 1) {
        last = sign(hook, body, fault)
        const status = await post(last)
        if (status >= 200 && status < 300) break
      }
    }
  }
  return {
    list: () => ok({ webhooks: [...hooks.values()].map(view), meta: { has_more: false } }),
    create(body) {
      const asked = (body.webhook ?? {}) as Partial<Webhook>
      const { name, endpoint = '', http_method, request_format, subscriptions = [] } = asked
      if (!name || !http_method || !request_format || !URL.canParse(endpoint)) return invalid('webhook is not valid')
      if (subscriptions.some((one) => !/^zen:event-type:[a-z_]+\.[a-z_]+$/.test(one))) return invalid('subscriptions')
      const id = `01${randomBytes(12).toString('hex').toUpperCase()}`
      const secret = randomBytes(32).toString('base64')
      const made = { id, name, status: 'active', endpoint, http_method, request_format, subscriptions, secret }
      hooks.set(id, made)
      return { status: 201, body: { webhook: view(made) } }
    },
    remove: (id) => (hooks.delete(id) ? { status: 204, body: null } : notFound()),
    secret(id) {
      const hook = hooks.get(id)
      return hook ? ok({ signing_secret: { algorithm: 'SHA256', secret: hook.secret } }) : notFound()
    },
    disable() {
      for (const hook of hooks.values()) hook.status = 'inactive'
    },
    all: () => [...hooks.values()],
    send(name, ticket, event = {}) {
      const type = `zen:event-type:ticket.${name}`
      const body = JSON.stringify({
        type,
        account_id: ACCOUNT_ID,
        id: randomUUID(),
        time: new Date(now()).toISOString(),
        zendesk_event_version: '2022-11-06',
        subject: `zen:ticket:${ticket.id}`,
        detail: eventDetail(ticket),
        event: { meta: { sequence: { id: randomUUID(), position: 1, total: 1 } }, ...event },
      })
      for (const hook of hooks.values()) {
        if (hook.status !== 'active' || !hook.subscriptions.includes(type)) continue
        const fault = faults.shift()
        queue = queue.then(() => deliver(hook, body, fault))
      }
    },
    fail: (fault, times) => faults.push(...Array.from({ length: times }, () => fault)),
    replay: async () => (last ? await post(last) : null),
    settled: async () => {
      await queue
    },
    stop: () => stopped.abort(),
  }
}

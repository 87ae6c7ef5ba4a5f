import { createHmac } from 'node:crypto'
import { invalid, notFound, type Reply } from './reply.ts'
import type { Json } from './views.ts'

/** How an event can be wrong: signed with another secret, sent twice, or never. Help Scout's signature has no time. */
export type EventFault = 'forged' | 'doubled' | 'lost'

type Webhook = {
  id: number
  url: string
  events: string[]
  secret: string
  payloadVersion: string
  state: string
  label: string
}
type Sent = { hook: Webhook; body: string; headers: Record<string, string> }

export type Webhooks = {
  /** As they are listed: without their secrets. */
  views(): Json[]
  create(body: Json): Reply
  remove(id: number): Reply
  /** Switches all of them off. */
  disable(): void
  all(): readonly Webhook[]
  /** Sends an event to those that subscribe to it, in the background. */
  send(event: string, body: Json): void
  fail(fault: EventFault, times: number): void
  /** Sends the bytes of the last event again, with their old signature; returns the status. */
  replay(): Promise<number | null>
  /** Resolves once no event is being sent. */
  settled(): Promise<void>
  stop(): void
}

const RETRIES = 3
const MAX_SECRET = 40
const GONE = 410

/** Webhooks, each signed with the secret that it was created with. A response with 410 switches one off. */
export function createWebhooks(): Webhooks {
  const hooks = new Map<number, Webhook>()
  const faults: EventFault[] = []
  const stopped = new AbortController()
  let made = 0
  let last: Sent | null = null
  let queue: Promise<unknown> = Promise.resolve()

  const sign = (hook: Webhook, event: string, body: string, fault: EventFault | undefined): Sent => {
    const secret = fault === 'forged' ? `${hook.secret}-of-another` : hook.secret
    const signature = createHmac('sha1', secret).update(body).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'x-helpscout-event': event,
      'x-helpscout-signature': signature,
    }
    return { hook, body, headers }
  }
  const post = async ({ hook, body, headers }: Sent): Promise<number> => {
    try {
      const answer = await fetch(hook.url, { method: 'POST', body, headers, signal: stopped.signal })
      await answer.arrayBuffer()
      if (answer.status === GONE) hook.state = 'disabled'
      return answer.status
    } catch {
      return 0
    }
  }
  const deliver = async (sent: Sent, fault: EventFault | undefined) => {
    if (fault === 'lost') return
    for (let time = 0; time < (fault === 'doubled' ? 2 : 1); time += 1) {
      for (let attempt = 0; attempt <= RETRIES && !stopped.signal.aborted; attempt += 1) {
        last = sent
        const status = await post(sent)
        if ((status >= 200 && status < 300) || status === GONE) break
      }
    }
  }
  return {
    views: () =>
      [...hooks.values()].map((hook) => ({ ...hook, secret: undefined, mailboxIds: [], notification: false })),
    create(body) {
      const { url = '', events = [], secret = '', payloadVersion = 'V2', label = '' } = body as Partial<Webhook>
      if (!URL.canParse(url)) return invalid('url is not valid')
      if (events.length === 0 || events.some((event) => !/^[a-z]+(\.[a-z-]+)+$/.test(event))) return invalid('events')
      if (secret === '' || secret.length > MAX_SECRET) return invalid('secret must have 1 to 40 characters')
      made += 1
      hooks.set(made, { id: made, url, events, secret, payloadVersion, state: 'enabled', label })
      const headers = { 'resource-id': String(made), location: `https://api.helpscout.net/v2/webhooks/${made}` }
      return { status: 201, body: null, headers }
    },
    remove: (id) => (hooks.delete(id) ? { status: 204, body: null } : notFound()),
    disable() {
      for (const hook of hooks.values()) hook.state = 'disabled'
    },
    all: () => [...hooks.values()],
    send(event, body) {
      for (const hook of hooks.values()) {
        if (hook.state !== 'enabled' || !hook.events.includes(event)) continue
        const fault = faults.shift()
        const sent = sign(hook, event, JSON.stringify(body), fault)
        queue = queue.then(() => deliver(sent, fault))
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

import { createHmac } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import { invalid, notFound, type Reply } from './reply.ts'
import type { Json } from './views.ts'

type Webhook = {
  id: number
  url: string
  events: string[]
  secret: string
  payloadVersion: string
  state: string
  label: string
}

const MAX_SECRET = 40
const GONE = 410

/**
 * Webhooks, each signed with the secret that it was created with, without a time. A response with 410 switches one off. `forged`: signed with
 * another secret.
 */
export class Webhooks extends Deliveries<'forged'> {
  readonly #hooks = new Map<number, Webhook>()
  #made = 0

  constructor() {
    super([0, 0, 0])
  }

  all = (): readonly Webhook[] => [...this.#hooks.values()]

  /** As they are listed. */
  views = (): Json[] => this.all().map(view)

  create(body: Json): Reply {
    const { url = '', events = [], secret = '', payloadVersion = 'V2', label = '' } = body as Partial<Webhook>
    if (!URL.canParse(url)) return invalid('url is not valid')
    if (events.length === 0 || events.some((event) => !/^[a-z]+(\.[a-z-]+)+$/.test(event))) return invalid('events')
    if (secret === '' || secret.length > MAX_SECRET) return invalid('secret must have 1 to 40 characters')
    this.#made += 1
    const id = this.#made
    this.#hooks.set(id, { id, url, events, secret, payloadVersion, state: 'enabled', label })
    const headers = { 'resource-id': String(id), location: `https://api.helpscout.net/v2/webhooks/${id}` }
    return { status: 201, body: null, headers }
  }

  remove = (id: number): Reply => (this.#hooks.delete(id) ? { status: 204, body: null } : notFound())

  /** Switches all of them off. */
  disable(): void {
    for (const hook of this.#hooks.values()) hook.state = 'disabled'
  }

  /** Sends an event to those that subscribe to it, in the background. */
  send(event: string, content: Json): void {
    const body = JSON.stringify(content)
    for (const hook of this.#hooks.values()) {
      if (hook.state !== 'enabled' || !hook.events.includes(event)) continue
      this.deliver((fault) => {
        const secret = fault === 'forged' ? `${hook.secret}-of-another` : hook.secret
        const headers = {
          'content-type': 'application/json',
          'x-helpscout-event': event,
          'x-helpscout-signature': createHmac('sha1', secret).update(body).digest('base64'),
        }
        return { url: hook.url, body, headers, ended: (status) => status === GONE && switchOff(hook) }
      })
    }
  }
}

/** Without its secret. */
function view(hook: Webhook): Json {
  const { secret: _, ...shown } = hook
  return { ...shown, mailboxIds: [], notification: false }
}

function switchOff(hook: Webhook): true {
  hook.state = 'disabled'
  return true
}

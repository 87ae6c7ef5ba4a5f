import { randomUUID } from 'node:crypto'
import { Deliveries, type Delivery } from '../deliveries.ts'
import { failed, notFound, ok, type Reply } from './lists.ts'
import { type StoredMessage, TEAM_ID, TENANT_ID } from './tenant.ts'
import { type Json, resourceOf } from './views.ts'

type Change = 'created' | 'updated' | 'deleted'
type Subscriber = {
  id: string
  resource: string
  url: string
  lifecycleUrl: string | null
  state: string
  ends: number
}

const HOUR_MS = 3_600_000
const MAX_LIFE_MS = 72 * HOUR_MS

/** Subscriptions to the messages of channels. An address is validated before it is used. `forged`: with another secret. */
export class Subscribers extends Deliveries<'forged'> {
  readonly #now: () => number
  readonly #kept = new Map<string, Subscriber>()
  readonly #reauthorized: string[] = []

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  all = (): readonly Subscriber[] => [...this.#kept.values()]

  list = (): Reply =>
    ok({
      value: this.all()
        .filter(({ ends }) => ends > this.#now())
        .map(view),
    })

  async create(body: Json): Promise<Reply> {
    const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
    const [resource, url, lifecycleUrl] = [text('resource'), text('notificationUrl'), text('lifecycleNotificationUrl')]
    const ends = Date.parse(text('expirationDateTime'))
    const tooLong = ends - this.#now() > (lifecycleUrl === '' ? HOUR_MS : MAX_LIFE_MS) + 60_000
    if (!URL.canParse(url) || Number.isNaN(ends) || tooLong) return failed(400, 'InvalidRequest', 'Not valid')
    if (text('clientState').length > 128) return failed(400, 'InvalidRequest', 'clientState is too long')
    if (this.all().some((one) => one.resource === resource)) {
      return failed(403, 'ExtensionError', 'The app already has a subscription for this resource')
    }
    for (const address of new Set([url, lifecycleUrl].filter((one) => one !== ''))) {
      if (!(await this.#isValid(address))) {
        return failed(400, 'ValidationError', 'The address did not answer the validation')
      }
    }
    const id = randomUUID()
    const made = { id, resource, url, lifecycleUrl: lifecycleUrl || null, state: text('clientState'), ends }
    this.#kept.set(id, made)
    return { status: 201, body: view(made) }
  }

  async #isValid(url: string): Promise<boolean> {
    const token = `Validation: ${randomUUID()} <&>`
    const address = new URL(url)
    address.searchParams.set('validationToken', token)
    const response = await fetch(address, { method: 'POST', signal: this.stopped }).catch(() => null)
    const type = response?.headers.get('content-type') ?? ''
    return response?.status === 200 && type.startsWith('text/plain') && (await response.text()) === token
  }

  renew(id: string, body: Json): Reply {
    const found = this.#kept.get(id)
    if (!found || found.ends <= this.#now()) return notFound()
    found.ends = Date.parse(String(body.expirationDateTime))
    return ok(view(found))
  }

  remove = (id: string): Reply => (this.#kept.delete(id) ? { status: 204, body: null } : notFound())

  reauthorize(id: string): Reply {
    if (!this.#kept.has(id)) return notFound()
    this.#reauthorized.push(id)
    return { status: 204, body: null }
  }

  reauthorized = (): readonly string[] => this.#reauthorized

  /** Removes all of them, as Graph does when access ends. */
  drop(): void {
    this.#kept.clear()
  }

  /** Tells those that subscribe to the channel, in the background. */
  send(change: Change, message: StoredMessage): void {
    const channel = `/teams/${TEAM_ID}/channels/${message.channel}/messages`
    const resource = resourceOf(message)
    const resourceData = { '@odata.type': '#Microsoft.Graph.chatMessage', '@odata.id': resource, id: message.id }
    for (const one of this.all()) {
      if (one.resource !== channel || one.ends <= this.#now()) continue
      this.deliver((fault) => {
        const state = fault === 'forged' ? `${one.state}-of-another` : one.state
        return notice(one.url, { ...one, state }, { changeType: change, resource, resourceData })
      })
    }
  }

  lifecycle(lifecycleEvent: string): void {
    for (const one of this.all()) {
      const { lifecycleUrl, resource } = one
      if (lifecycleUrl !== null) this.deliver(() => notice(lifecycleUrl, one, { lifecycleEvent, resource }))
    }
  }
}

function notice(url: string, { id, state, ends }: Subscriber, about: Json): Delivery {
  const subscription = {
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(ends).toISOString(),
    clientState: state,
    tenantId: TENANT_ID,
  }
  const body = JSON.stringify({ value: [{ ...subscription, ...about }] })
  return { url, body, headers: { 'content-type': 'application/json' } }
}

const view = ({ id, resource, url, lifecycleUrl, ends }: Subscriber): Json => ({
  id,
  resource,
  applicationId: null,
  changeType: 'created,updated,deleted',
  clientState: null,
  notificationUrl: url,
  lifecycleNotificationUrl: lifecycleUrl,
  expirationDateTime: new Date(ends).toISOString(),
  creatorId: null,
})

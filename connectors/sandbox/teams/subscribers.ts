import { randomUUID } from 'node:crypto'
import { failed, notFound, ok, type Reply } from './lists.ts'
import { type StoredMessage, TEAM_ID, TENANT_ID } from './tenant.ts'
import { type Json, resourceOf } from './views.ts'

/** How a notification can be wrong: with another secret, sent twice, or never. */
export type EventFault = 'forged' | 'doubled' | 'lost'
type Change = 'created' | 'updated' | 'deleted'
type Subscriber = {
  id: string
  resource: string
  url: string
  lifecycleUrl: string | null
  state: string
  ends: number
}

export type Subscribers = {
  list(): Reply
  create(body: Json): Promise<Reply>
  renew(id: string, body: Json): Reply
  remove(id: string): Reply
  reauthorize(id: string): Reply
  all(): readonly Subscriber[]
  reauthorized(): readonly string[]
  /** Removes all of them, as Graph does when access ends. */
  drop(): void
  /** Tells those that subscribe to the channel, in the background. */
  send(change: Change, message: StoredMessage): void
  lifecycle(event: string): void
  fail(fault: EventFault, times: number): void
  /** Resolves once nothing is being sent. */
  settled(): Promise<void>
  stop(): void
}

const HOUR_MS = 3_600_000
const MAX_LIFE_MS = 72 * HOUR_MS

/** Subscriptions to the messages of channels. An address is validated before it is used. */
export function createSubscribers(now: () => number): Subscribers {
  const kept = new Map<string, Subscriber>()
  const faults: EventFault[] = []
  const stopped = new AbortController()
  const reauthorized: string[] = []
  let queue: Promise<unknown> = Promise.resolve()

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
  const isValid = async (url: string): Promise<boolean> => {
    const token = `Validation: ${randomUUID()} <&>`
    const address = new URL(url)
    address.searchParams.set('validationToken', token)
    const response = await fetch(address, { method: 'POST', signal: stopped.signal }).catch(() => null)
    const type = response?.headers.get('content-type') ?? ''
    return response?.status === 200 && type.startsWith('text/plain') && (await response.text()) === token
  }
  const deliver = async (url: string, body: Json) => {
    const headers = { 'content-type': 'application/json' }
    const value = JSON.stringify({ value: [body] })
    await fetch(url, { method: 'POST', body: value, headers, signal: stopped.signal }).catch(() => null)
  }
  const notice = ({ id, state, ends }: Subscriber, fault: EventFault | undefined): Json => ({
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(ends).toISOString(),
    clientState: fault === 'forged' ? `${state}-of-another` : state,
    tenantId: TENANT_ID,
  })
  const enqueue = (url: string, body: Json) => {
    queue = queue.then(() => deliver(url, body))
  }
  return {
    list: () => ok({ value: [...kept.values()].filter(({ ends }) => ends > now()).map(view) }),
    async create(body) {
      const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
      const [resource, url, lifecycleUrl] = [
        text('resource'),
        text('notificationUrl'),
        text('lifecycleNotificationUrl'),
      ]
      const ends = Date.parse(text('expirationDateTime'))
      const tooLong = ends - now() > (lifecycleUrl === '' ? HOUR_MS : MAX_LIFE_MS) + 60_000
      if (!URL.canParse(url) || Number.isNaN(ends) || tooLong) return failed(400, 'InvalidRequest', 'Not valid')
      if (text('clientState').length > 128) return failed(400, 'InvalidRequest', 'clientState is too long')
      if ([...kept.values()].some((one) => one.resource === resource)) {
        return failed(403, 'ExtensionError', 'The app already has a subscription for this resource')
      }
      for (const address of new Set([url, lifecycleUrl].filter((one) => one !== ''))) {
        if (!(await isValid(address)))
          return failed(400, 'ValidationError', 'The address did not answer the validation')
      }
      const id = randomUUID()
      const made = { id, resource, url, lifecycleUrl: lifecycleUrl || null, state: text('clientState'), ends }
      kept.set(id, made)
      return { status: 201, body: view(made) }
    },
    renew(id, body) {
      const found = kept.get(id)
      if (!found || found.ends <= now()) return notFound()
      found.ends = Date.parse(String(body.expirationDateTime))
      return ok(view(found))
    },
    remove: (id) => (kept.delete(id) ? { status: 204, body: null } : notFound()),
    reauthorize(id) {
      if (!kept.has(id)) return notFound()
      reauthorized.push(id)
      return { status: 204, body: null }
    },
    all: () => [...kept.values()],
    reauthorized: () => reauthorized,
    drop: () => kept.clear(),
    send(change, message) {
      const resource = `/teams/${TEAM_ID}/channels/${message.channel}/messages`
      for (const one of kept.values()) {
        if (one.resource !== resource || one.ends <= now()) continue
        const fault = faults.shift()
        if (fault === 'lost') continue
        const path = resourceOf(message)
        const resourceData = { '@odata.type': '#Microsoft.Graph.chatMessage', '@odata.id': path, id: message.id }
        const body = { ...notice(one, fault), changeType: change, resource: path, resourceData }
        enqueue(one.url, body)
        if (fault === 'doubled') enqueue(one.url, body)
      }
    },
    lifecycle(event) {
      for (const one of kept.values()) {
        if (one.lifecycleUrl === null) continue
        const body = { ...notice(one, undefined), lifecycleEvent: event, resource: one.resource }
        enqueue(one.lifecycleUrl, body)
      }
    },
    fail: (fault, times) => faults.push(...Array.from({ length: times }, () => fault)),
    settled: async () => {
      await queue
    },
    stop: () => stopped.abort(),
  }
}

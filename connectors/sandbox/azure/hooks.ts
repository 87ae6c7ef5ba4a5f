import { randomUUID } from 'node:crypto'
import type { Account, Item } from './account.ts'
import { AzureError } from './refuse.ts'

type Inputs = Record<string, string>
type Subscription = {
  id: string
  status: string
  publisherId: string
  eventType: string
  resourceVersion: string
  consumerId: string
  consumerActionId: string
  publisherInputs: Inputs
  consumerInputs: Inputs
}
/** How the next notification goes wrong: it is lost, sent twice, or has another password. */
type HookFault = 'lost' | 'twice' | 'forged'

/** Service hooks that call an address with basic authentication. Azure DevOps signs nothing. */
export class Hooks {
  readonly all: Subscription[] = []
  /** The reply to each notification, in order; 0 where there was none. */
  readonly replies: number[] = []
  /** Whether the sign-in may edit subscriptions. */
  allowed = true
  readonly #account: Account
  readonly #site: () => string
  readonly #faults: HookFault[] = []
  #running: Promise<unknown> = Promise.resolve()

  /** `site`: the address of the API, as events show it. */
  constructor(account: Account, site: () => string) {
    this.#account = account
    this.#site = site
  }

  fail = (fault: HookFault) => void this.#faults.push(fault)
  /** Resolves when everything that was sent so far has been answered. */
  settled = () => this.#running

  /** Passwords are never returned. */
  list = () => this.all.map(masked)

  create(body: unknown): unknown {
    const { publisherInputs, consumerInputs, ...rest } = body as Subscription
    const known = this.#account.projects.some(({ id }) => id === publisherInputs?.['projectId'])
    if (!known || !URL.canParse(consumerInputs?.['url'] ?? '')) {
      throw new AzureError(400, 'SubscriptionInputException', 'VS403410: An input is not valid')
    }
    const made = { ...rest, publisherInputs, consumerInputs, id: randomUUID(), status: 'enabled' }
    this.all.push(made)
    return masked(made)
  }

  remove(id: string): void {
    const at = this.all.findIndex((one) => one.id === id)
    if (at < 0) throw new AzureError(404, 'SubscriptionNotFoundException', 'VS403401: The subscription was not found')
    this.all.splice(at, 1)
  }

  send(item: Item, eventType: string, changed: string | null = null): void {
    const about = this.all.filter(({ status, publisherInputs, ...one }) => {
      const isAbout = one.eventType === eventType && publisherInputs['projectId'] === item.project.id
      return status === 'enabled' && isAbout && (publisherInputs['changedFields'] ?? changed) === changed
    })
    for (const subscription of about) this.#notify(subscription, item)
  }

  #notify({ id, eventType, consumerInputs }: Subscription, item: Item): void {
    const fault = this.#faults.shift()
    if (fault === 'lost') return
    const url = `${this.#site()}/${encodeURIComponent(this.#account.organisation)}/_apis/wit/workItems/${item.id}`
    const resource =
      eventType === 'workitem.updated'
        ? { id: item.rev, workItemId: item.id, rev: item.rev, url: `${url}/updates/${item.rev}` }
        : { id: item.id, rev: item.rev, fields: item.fields, url }
    const body = JSON.stringify({
      subscriptionId: id,
      notificationId: 3,
      id: randomUUID(),
      eventType,
      publisherId: 'tfs',
      message: null,
      detailedMessage: null,
      resource,
      resourceVersion: '1.0',
      resourceContainers: { collection: { id: randomUUID() }, project: { id: item.project.id } },
      createdDate: new Date().toISOString(),
    })
    const password = fault === 'forged' ? 'another password' : (consumerInputs['basicAuthPassword'] ?? '')
    const user = consumerInputs['basicAuthUsername'] ?? ''
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    for (let time = fault === 'twice' ? 2 : 1; time > 0; time -= 1) {
      this.#running = this.#running.then(() => this.#post(consumerInputs['url'] ?? '', authorization, body))
    }
  }

  async #post(url: string, authorization: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json; charset=utf-8', authorization }
    try {
      const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
      await reply.arrayBuffer()
      this.replies.push(reply.status)
    } catch {
      this.replies.push(0)
    }
  }
}

const masked = (one: Subscription): Subscription => ({
  ...one,
  consumerInputs: { ...one.consumerInputs, basicAuthPassword: '********' },
})

import { randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
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

/** Service hooks that call an address with basic authentication. Azure DevOps signs nothing. `forged`: with another password. */
export class Hooks extends Deliveries<'forged'> {
  readonly all: Subscription[] = []
  /** Whether the sign-in may edit subscriptions. */
  allowed = true
  readonly #account: Account
  readonly #site: () => string

  /** `site`: the address of the API, as events show it. */
  constructor(account: Account, site: () => string) {
    super()
    this.#account = account
    this.#site = site
  }

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
    const { url: address = '', basicAuthUsername: user = '', basicAuthPassword = '' } = consumerInputs
    this.deliver((fault) => {
      const password = fault === 'forged' ? 'another password' : basicAuthPassword
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      return { url: address, body, headers: { 'content-type': 'application/json; charset=utf-8', authorization } }
    })
  }
}

const masked = (one: Subscription): Subscription => ({
  ...one,
  consumerInputs: { ...one.consumerInputs, basicAuthPassword: '********' },
})

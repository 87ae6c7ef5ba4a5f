import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import type { Task } from './account.ts'

type Place = { team: string; list: string; endpoint: string; events: string[] }

/** Webhooks that are created through the API, each with a secret of ClickUp's choice. Requests are signed over the raw body. */
export class Webhooks extends Deliveries<'forged'> {
  readonly #all = new Map<string, ReturnType<typeof newWebhook>>()

  all = () => [...this.#all.values()]
  of = (team: string) => this.all().filter(({ team_id }) => String(team_id) === team)
  has = (endpoint: string, list: string) => this.all().some((one) => one.endpoint === endpoint && one.list_id === list)
  remove = (id: string) => this.#all.delete(id)

  add(place: Place) {
    const webhook = newWebhook(place)
    this.#all.set(webhook.id, webhook)
    return webhook
  }

  /** ClickUp suspends it without notice: nothing is sent any more. */
  suspend(): void {
    for (const webhook of this.all()) webhook.health = { status: 'suspended', fail_count: 100 }
  }

  send({ id, list }: Task, event: string): void {
    const about = this.all().filter(
      ({ list_id, events, health }) => list_id === list.id && events.includes(event) && health.status !== 'suspended',
    )
    const history =
      event === 'taskDeleted' ? {} : { history_items: [{ id: randomBytes(8).readBigUInt64BE().toString() }] }
    for (const { id: webhook_id, secret, endpoint } of about) {
      const body = JSON.stringify({ event, ...history, task_id: id, webhook_id })
      this.deliver((fault) => {
        const signature = createHmac('sha256', fault === 'forged' ? 'another secret' : secret).update(body)
        const headers = { 'content-type': 'application/json', 'x-signature': signature.digest('hex') }
        return { url: endpoint, body, headers }
      })
    }
  }
}

function newWebhook({ team, list, endpoint, events }: Place) {
  return {
    id: randomUUID(),
    userid: 4001,
    team_id: Number(team),
    endpoint,
    client_id: 'sandbox',
    events,
    task_id: null,
    list_id: list,
    folder_id: null,
    space_id: null,
    health: { status: 'active', fail_count: 0 },
    secret: randomBytes(32).toString('hex').toUpperCase(),
  }
}

import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Task } from './account.ts'

type Place = { team: string; list: string; endpoint: string; events: string[] }
/** How the next delivery goes wrong: it is lost, sent twice, or sent with a wrong signature. */
type EventFault = 'lost' | 'twice' | 'forged'

/** Webhooks that are created through the API, each with a secret of ClickUp's choice. Requests are signed over the raw body. */
export class Webhooks {
  /** The reply to each delivery, in order; 0 where there was none. */
  readonly replies: number[] = []
  readonly #all = new Map<string, ReturnType<typeof newWebhook>>()
  readonly #faults: EventFault[] = []
  #running: Promise<unknown> = Promise.resolve()

  all = () => [...this.#all.values()]
  of = (team: string) => this.all().filter(({ team_id }) => String(team_id) === team)
  has = (endpoint: string, list: string) => this.all().some((one) => one.endpoint === endpoint && one.list_id === list)
  remove = (id: string) => this.#all.delete(id)
  fail = (fault: EventFault) => void this.#faults.push(fault)
  /** Resolves when everything that was sent so far has been answered. */
  settled = () => this.#running

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
    for (const { id: webhook_id, secret, endpoint } of about) {
      const fault = this.#faults.shift()
      if (fault === 'lost') continue
      const history =
        event === 'taskDeleted' ? {} : { history_items: [{ id: randomBytes(8).readBigUInt64BE().toString() }] }
      const body = JSON.stringify({ event, ...history, task_id: id, webhook_id })
      const key = fault === 'forged' ? 'another secret' : secret
      const headers = {
        'content-type': 'application/json',
        'x-signature': createHmac('sha256', key).update(body).digest('hex'),
      }
      for (let time = fault === 'twice' ? 2 : 1; time > 0; time -= 1) {
        this.#running = this.#running.then(() => this.#post(endpoint, headers, body))
      }
    }
  }

  async #post(url: string, headers: Record<string, string>, body: string): Promise<void> {
    try {
      const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
      await reply.arrayBuffer()
      this.replies.push(reply.status)
    } catch {
      this.replies.push(0)
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

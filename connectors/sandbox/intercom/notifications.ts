import { createHmac, randomBytes } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import type { StoredConversation } from './records.ts'
import { conversationView, type Json } from './views.ts'
import { WORKSPACE_ID } from './workspace.ts'

/**
 * The webhook of an app: signed with its client secret over the raw bytes, and repeated once where it is not accepted. `forged`: signed with
 * another secret. `foreign`: about another workspace.
 */
export class Notifications extends Deliveries<'forged' | 'foreign'> {
  readonly #secret: string
  readonly #now: () => number
  #url: string | null = null
  #suspended = false

  constructor(clientSecret: string, now: () => number) {
    super([0])
    this.#secret = clientSecret
    this.#now = now
  }

  /** The app's address for all workspaces, or null. */
  subscribe(url: string | null): void {
    this.#url = url
  }

  /** After many errors Intercom sends nothing any more. */
  suspend(on: boolean): void {
    this.#suspended = on
  }

  ping(): void {
    this.#notify('ping', { type: 'ping', message: 'Reading you loud and clear' })
  }

  /** Sends one in the background. `item` replaces the conversation in it. */
  send(topic: string, conversation: StoredConversation, item: Json = conversationView(conversation)): void {
    this.#notify(topic, item)
  }

  #notify(topic: string, item: Json): void {
    const url = this.#url
    if (url === null || this.#suspended) return
    const seconds = Math.floor(this.#now() / 1000)
    this.deliver((fault) => {
      const body = JSON.stringify({
        type: 'notification_event',
        app_id: fault === 'foreign' ? 'another1' : WORKSPACE_ID,
        data: { type: 'notification_event_data', item },
        links: {},
        id: topic === 'ping' ? null : `notif_${randomBytes(12).toString('hex')}`,
        topic,
        delivery_status: 'pending',
        delivery_attempts: 1,
        delivered_at: 0,
        first_sent_at: seconds,
        created_at: seconds,
        self: null,
      })
      const secret = fault === 'forged' ? `${this.#secret}-of-another` : this.#secret
      const signature = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
      return { url, body, headers: { 'content-type': 'application/json', 'x-hub-signature': signature } }
    })
  }
}

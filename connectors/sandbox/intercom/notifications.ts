import { createHmac, randomBytes } from 'node:crypto'
import type { StoredConversation } from './records.ts'
import { conversationView, type Json } from './views.ts'
import { WORKSPACE_ID } from './workspace.ts'

/** How a notification can be wrong: signed with another secret, about another workspace, sent twice, or never. */
export type EventFault = 'forged' | 'foreign' | 'doubled' | 'lost'

type Sent = { url: string; body: string; headers: Record<string, string> }

export type Notifications = {
  /** The app's address for all workspaces, or null. */
  subscribe(url: string | null): void
  /** After many errors Intercom sends nothing any more. */
  suspend(on: boolean): void
  /** Sends one in the background. `item` replaces the conversation in it. */
  send(topic: string, conversation: StoredConversation, item?: Json): void
  ping(): void
  fail(fault: EventFault, times: number): void
  /** Sends the bytes of the last one again, with their old signature; returns the status. */
  replay(): Promise<number | null>
  /** Resolves once none is being sent. */
  settled(): Promise<void>
  stop(): void
}

const ATTEMPTS = 2

/** The webhook of an app: signed with its client secret over the raw bytes, and repeated once where it is not accepted. */
export function createNotifications(clientSecret: string, now: () => number): Notifications {
  const faults: EventFault[] = []
  const stopped = new AbortController()
  let url: string | null = null
  let suspended = false
  let last: Sent | null = null
  let queue: Promise<unknown> = Promise.resolve()

  const post = async ({ url: to, body, headers }: Sent): Promise<number> => {
    try {
      const answer = await fetch(to, { method: 'POST', body, headers, signal: stopped.signal })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }
  const deliver = async (to: string, body: string, fault: EventFault | undefined) => {
    if (fault === 'lost') return
    const secret = fault === 'forged' ? `${clientSecret}-of-another` : clientSecret
    const signature = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
    const sent = { url: to, body, headers: { 'content-type': 'application/json', 'x-hub-signature': signature } }
    for (let time = 0; time < (fault === 'doubled' ? 2 : 1); time += 1) {
      for (let attempt = 0; attempt < ATTEMPTS && !stopped.signal.aborted; attempt += 1) {
        last = sent
        const status = await post(sent)
        if (status >= 200 && status < 300) break
      }
    }
  }
  const notify = (topic: string, item: Json) => {
    if (url === null || suspended) return
    const to = url
    const fault = faults.shift()
    const seconds = Math.floor(now() / 1000)
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
    queue = queue.then(() => deliver(to, body, fault))
  }
  return {
    subscribe(next) {
      url = next
    },
    suspend(on) {
      suspended = on
    },
    send: (topic, conversation, item = conversationView(conversation)) => notify(topic, item),
    ping: () => notify('ping', { type: 'ping', message: 'Reading you loud and clear' }),
    fail: (fault, times) => faults.push(...Array.from({ length: times }, () => fault)),
    replay: async () => (last ? await post(last) : null),
    settled: async () => {
      await queue
    },
    stop: () => stopped.abort(),
  }
}

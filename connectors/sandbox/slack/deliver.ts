import { createHmac, randomUUID } from 'node:crypto'
import { BOT, TEAM } from './workspace.ts'

/** How an event can be wrong: signed with another secret, sent too late, sent twice, or never. */
export type EventFault = 'forged' | 'late' | 'doubled' | 'lost'

export type Deliveries = {
  /** `team`: the workspace of the author, in a channel that workspaces share. */
  send(event: Record<string, unknown>, team?: string): void
  fail(fault: EventFault, times: number): void
  /** Posts a raw body, signed, and returns the status. */
  post(body: Record<string, unknown>): Promise<{ status: number; body: string }>
  /** Sends the bytes of the last event again, with their old signature. */
  replay(): Promise<number | null>
  /** Resolves once no event is being sent. */
  settled(): Promise<void>
  stop(): void
}

type Options = {
  url: () => string | null
  signingSecret: string
  now: () => Date
  /** Milliseconds before each retry. Slack waits a moment, a minute and five minutes. */
  retryDelays: readonly number[]
}

type Sent = { body: string; headers: Record<string, string> }

/** Sends events as Slack's Events API does: signed, one after the other, with up to three retries. */
export function createDeliveries({ url, signingSecret, now, retryDelays }: Options): Deliveries {
  const faults: EventFault[] = []
  const stopped = new AbortController()
  let last: Sent | null = null
  let queue: Promise<unknown> = Promise.resolve()

  const sign = (body: string, fault: EventFault | undefined): Sent => {
    const age = fault === 'late' ? 600 : 0
    const timestamp = String(Math.floor(now().getTime() / 1000) - age)
    const secret = fault === 'forged' ? `${signingSecret}-of-another` : signingSecret
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
    }
  }
  const post = async ({ body, headers }: Sent): Promise<{ status: number; body: string }> => {
    const to = url()
    if (to === null) return { status: 0, body: '' }
    try {
      const answer = await fetch(to, { method: 'POST', body, headers, signal: stopped.signal })
      return { status: answer.status, body: await answer.text() }
    } catch {
      return { status: 0, body: '' }
    }
  }
  const deliver = async (body: string, fault: EventFault | undefined) => {
    if (fault === 'lost' || url() === null) return
    const times = fault === 'doubled' ? 2 : 1
    for (let time = 0; time < times; time += 1) {
      for (let retry = 0; retry <= retryDelays.length; retry += 1) {
        if (retry > 0) await pause(retryDelays[retry - 1] ?? 0, stopped.signal)
        if (stopped.signal.aborted) return
        last = sign(body, fault)
        if (retry > 0) {
          Object.assign(last.headers, { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_error' })
        }
        const { status } = await post(last)
        if (status >= 200 && status < 300) break
      }
    }
  }
  return {
    send(event, team = TEAM.id) {
      const body = JSON.stringify({
        token: 'legacy-verification-token',
        team_id: team,
        api_app_id: BOT.app,
        event,
        type: 'event_callback',
        event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`,
        event_time: Math.floor(now().getTime() / 1000),
        authorizations: [
          { enterprise_id: null, team_id: TEAM.id, user_id: BOT.user, is_bot: true, is_enterprise_install: false },
        ],
        is_ext_shared_channel: team !== TEAM.id,
      })
      const fault = faults.shift()
      queue = queue.then(() => deliver(body, fault))
    },
    fail: (fault, times) => faults.push(...Array.from({ length: times }, () => fault)),
    post: (body) => post(sign(JSON.stringify(body), undefined)),
    replay: async () => (last ? (await post(last)).status : null),
    settled: async () => {
      await queue
    },
    stop: () => stopped.abort(),
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

import { createHmac, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import { BOT, TEAM } from './workspace.ts'

type Options = {
  url: string | null
  signingSecret: string
  now: () => Date
  /** Milliseconds before each retry. Slack waits a moment, a minute and five minutes. */
  retryDelays: readonly number[]
}

/** Slack's Events API: signed with the time of sending. `forged`: signed with another secret. `late`: sent too late. */
export class Events extends Deliveries<'forged' | 'late'> {
  /** Where events are sent. Null: nowhere. */
  url: string | null
  readonly #secret: string
  readonly #now: () => Date

  constructor({ url, signingSecret, now, retryDelays }: Options) {
    super(retryDelays)
    this.url = url
    this.#secret = signingSecret
    this.#now = now
  }

  /** `team`: the workspace of the author, in a channel that workspaces share. */
  send(event: Record<string, unknown>, team: string = TEAM.id): void {
    const { url } = this
    if (url === null) return
    const body = JSON.stringify({
      token: 'legacy-verification-token',
      team_id: team,
      api_app_id: BOT.app,
      event,
      type: 'event_callback',
      event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`,
      event_time: this.#seconds(),
      authorizations: [
        { enterprise_id: null, team_id: TEAM.id, user_id: BOT.user, is_bot: true, is_enterprise_install: false },
      ],
      is_ext_shared_channel: team !== TEAM.id,
    })
    this.deliver((fault) => {
      const secret = fault === 'forged' ? `${this.#secret}-of-another` : this.#secret
      const age = fault === 'late' ? 600 : 0
      const retried = (retry: number) => ({ 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': 'http_error' })
      const headers = (retry: number) => ({
        ...this.#headers(body, secret, this.#seconds() - age),
        ...(retry > 0 ? retried(retry) : {}),
      })
      return { url, body, headers }
    })
  }

  /** Posts a body at once, signed, and returns the answer. */
  request(content: Record<string, unknown>): Promise<{ status: number; body: string }> {
    const body = JSON.stringify(content)
    return this.post({ url: this.url ?? '', body, headers: this.#headers(body, this.#secret, this.#seconds()) })
  }

  #seconds = () => Math.floor(this.#now().getTime() / 1000)

  #headers(body: string, secret: string, seconds: number): Record<string, string> {
    const signature = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
    return {
      'content-type': 'application/json',
      'x-slack-request-timestamp': String(seconds),
      'x-slack-signature': `v0=${signature}`,
    }
  }
}

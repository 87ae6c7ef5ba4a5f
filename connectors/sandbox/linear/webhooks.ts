import { createHmac, randomUUID } from 'node:crypto'
import type { Issue, Workspace } from './workspace.ts'

export type WebhookInput = {
  id?: string
  url?: string
  secret?: string
  teamId?: string
  enabled?: boolean
  resourceTypes?: readonly string[]
}
type Webhook = WebhookInput & { id: string }
/** How the next delivery goes wrong: it is lost, sent twice, sent with a wrong signature, or a few minutes old. */
export type EventFault = 'lost' | 'twice' | 'forged' | 'late'

/** Webhooks that are created through the API, and the one of the application. Requests are signed over the raw body. */
export class Webhooks {
  readonly all = new Map<string, Webhook>()
  /** The reply to each delivery, in order; 0 where there was none. */
  readonly replies: number[] = []
  readonly #workspace: Workspace
  readonly #faults: EventFault[] = []
  #running: Promise<unknown> = Promise.resolve()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  has = (id: string) => this.all.has(id)
  add = (id: string, input: WebhookInput) => void this.all.set(id, { ...input, id })
  remove = (id: string) => void this.all.delete(id)
  change = (id: string, input: Omit<WebhookInput, 'teamId'>) =>
    void this.all.set(id, { ...this.all.get(id), ...input, id })
  fail = (fault: EventFault) => void this.#faults.push(fault)
  /** Resolves when everything that was sent so far has been answered. */
  settled = () => this.#running

  send(issue: Issue, action: string, updatedFrom?: Record<string, unknown>): void {
    const { id, identifier, title, state, trashed, archivedAt } = issue
    const data = { id, identifier, title, state, trashed, archivedAt, team: { id: issue.team.id, key: issue.team.key } }
    const about = [...this.all.values()].filter(
      ({ enabled = true, teamId, resourceTypes }) =>
        enabled && resourceTypes?.includes('Issue') && (teamId === undefined || teamId === issue.team.id),
    )
    this.#deliver(about, { type: 'Issue', action, data, url: issue.url, ...(updatedFrom ? { updatedFrom } : {}) })
  }

  /** The app was removed from the workspace. */
  revoked(): void {
    const about = [...this.all.values()].filter(({ resourceTypes }) => resourceTypes?.includes('OAuthApp'))
    this.#deliver(about, { type: 'OAuthApp', action: 'revoked', oauthClientId: 'sandbox' })
  }

  #deliver(about: readonly Webhook[], event: Record<string, unknown>): void {
    for (const webhook of about) {
      const fault = this.#faults.shift()
      if (fault === 'lost') continue
      const delivery = randomUUID()
      const body = JSON.stringify({
        ...event,
        createdAt: new Date().toISOString(),
        organizationId: this.#workspace.organization.id,
        webhookId: webhook.id,
        webhookTimestamp: Date.now() - (fault === 'late' ? 300_000 : 0),
      })
      const secret = fault === 'forged' ? 'another secret' : (webhook.secret ?? '')
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'linear-delivery': delivery,
        'linear-event': String(event['type']),
        'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
      }
      for (let time = fault === 'twice' ? 2 : 1; time > 0; time -= 1) {
        this.#running = this.#running.then(() => this.#post(webhook.url ?? '', headers, body))
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

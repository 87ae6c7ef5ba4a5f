import { createHmac, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
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

/**
 * Webhooks that are created through the API, and the one of the application. Requests are signed over the raw body. `forged`: with a wrong
 * signature. `late`: a few minutes old.
 */
export class Webhooks extends Deliveries<'forged' | 'late'> {
  readonly all = new Map<string, Webhook>()
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    super()
    this.#workspace = workspace
  }

  has = (id: string) => this.all.has(id)
  add = (id: string, input: WebhookInput) => void this.all.set(id, { ...input, id })
  remove = (id: string) => void this.all.delete(id)
  change = (id: string, input: Omit<WebhookInput, 'teamId'>) =>
    void this.all.set(id, { ...this.all.get(id), ...input, id })

  send(issue: Issue, action: string, updatedFrom?: Record<string, unknown>): void {
    const { id, identifier, title, state, trashed, archivedAt } = issue
    const data = { id, identifier, title, state, trashed, archivedAt, team: { id: issue.team.id, key: issue.team.key } }
    const about = [...this.all.values()].filter(
      ({ enabled = true, teamId, resourceTypes }) =>
        enabled && resourceTypes?.includes('Issue') && (teamId === undefined || teamId === issue.team.id),
    )
    this.#sendTo(about, { type: 'Issue', action, data, url: issue.url, ...(updatedFrom ? { updatedFrom } : {}) })
  }

  /** The app was removed from the workspace. */
  revoked(): void {
    const about = [...this.all.values()].filter(({ resourceTypes }) => resourceTypes?.includes('OAuthApp'))
    this.#sendTo(about, { type: 'OAuthApp', action: 'revoked', oauthClientId: 'sandbox' })
  }

  #sendTo(about: readonly Webhook[], event: Record<string, unknown>): void {
    for (const { id, url = '', secret = '' } of about) {
      this.deliver((fault) => {
        const body = JSON.stringify({
          ...event,
          createdAt: new Date().toISOString(),
          organizationId: this.#workspace.organization.id,
          webhookId: id,
          webhookTimestamp: Date.now() - (fault === 'late' ? 300_000 : 0),
        })
        const signature = createHmac('sha256', fault === 'forged' ? 'another secret' : secret).update(body)
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'linear-delivery': randomUUID(),
          'linear-event': String(event['type']),
          'linear-signature': signature.digest('hex'),
        }
        return { url, body, headers }
      })
    }
  }
}

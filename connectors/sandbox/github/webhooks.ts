import { createHmac, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import type { Hub, Issue, Repository } from './hub.ts'
import { type Installation, installationView, type SignIns } from './sign-in.ts'
import { issueView, type Json, personView, repositoryView } from './views.ts'

type Located = { repository: Repository; issue: Issue }

/**
 * The webhook of the app: one address for all of its installations. GitHub does not send again what failed. `forged`: signed with a wrong
 * secret.
 */
export class Webhooks extends Deliveries<'forged'> {
  url: string | null = null
  secret = ''
  /** The payloads so far, with the name of their event. */
  readonly sent: { event: string; body: Json }[] = []
  readonly #hub: Hub
  readonly #signIns: SignIns

  constructor(hub: Hub, signIns: SignIns) {
    super()
    this.#hub = hub
    this.#signIns = signIns
  }

  /** `target`: where a transferred issue is now. */
  issue(base: string, action: string, { repository, issue }: Located, target?: Located): void {
    const view = (at: Located) => issueView(base, at.repository, at.issue, this.#hub.people)
    const changes = target && { new_issue: view(target), new_repository: repositoryView(base, target.repository) }
    for (const { id } of this.#signIns.installations) {
      this.#sendEvent('issues', {
        action,
        issue: view({ repository, issue }),
        repository: repositoryView(base, repository),
        sender: personView(base, this.#hub.person('ben')),
        installation: { id, node_id: `I_${id}` },
        ...(changes ? { changes } : {}),
      })
    }
  }

  installation(base: string, action: string, installation: Installation): void {
    this.#sendEvent('installation', {
      action,
      installation: installationView(base, this.#signIns, installation),
      sender: personView(base, this.#hub.person('ben')),
    })
  }

  ping(): void {
    const at = new Date(this.#hub.now()).toISOString()
    const hook = {
      id: 1,
      type: 'App',
      name: 'web',
      active: true,
      events: ['issues'],
      config: { url: this.url ?? '', content_type: 'json', insecure_ssl: '0' },
      created_at: at,
      updated_at: at,
    }
    this.#sendEvent('ping', { zen: 'Keep it logically awesome.', hook_id: 1, hook })
  }

  #sendEvent(event: string, payload: Json): void {
    const { url } = this
    if (url === null) return
    const body = JSON.stringify(payload)
    this.deliver((fault) => {
      this.sent.push({ event, body: payload })
      const signature = createHmac('sha256', fault === 'forged' ? 'another secret' : this.secret).update(body)
      const headers = {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${signature.digest('hex')}`,
      }
      return { url, body, headers }
    })
  }
}

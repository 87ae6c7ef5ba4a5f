import { createHmac, randomUUID } from 'node:crypto'
import type { Hub, Issue, Repository } from './hub.ts'
import { type Installation, installationView, type SignIns } from './sign-in.ts'
import { issueView, type Json, personView, repositoryView } from './views.ts'

type Located = { repository: Repository; issue: Issue }
/** How the next delivery goes wrong: it is lost, sent twice with the same id, or signed with a wrong secret. */
type EventFault = 'lost' | 'twice' | 'forged'

/** The webhook of the app: one address for all of its installations. GitHub does not send again what failed. */
export class Webhooks {
  url: string | null = null
  secret = ''
  /** The payloads so far, with the name of their event. */
  readonly sent: { event: string; body: Json }[] = []
  /** The status of each answer; 0 where there was none. */
  readonly replies: number[] = []
  readonly #hub: Hub
  readonly #signIns: SignIns
  readonly #faults: EventFault[] = []
  #running: Promise<unknown> = Promise.resolve()

  constructor(hub: Hub, signIns: SignIns) {
    this.#hub = hub
    this.#signIns = signIns
  }

  fail(fault: EventFault): void {
    this.#faults.push(fault)
  }
  /** Resolves when everything that was sent so far has been answered. */
  settled(): Promise<unknown> {
    return this.#running
  }

  /** `target`: where a transferred issue is now. */
  issue(base: string, action: string, { repository, issue }: Located, target?: Located): void {
    const view = (at: Located) => issueView(base, at.repository, at.issue, this.#hub.people)
    const changes = target && { new_issue: view(target), new_repository: repositoryView(base, target.repository) }
    for (const { id } of this.#signIns.installations) {
      this.#deliver('issues', {
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
    this.#deliver('installation', {
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
    this.#deliver('ping', { zen: 'Keep it logically awesome.', hook_id: 1, hook })
  }

  #deliver(event: string, payload: Json): void {
    const { url } = this
    if (url === null) return
    const fault = this.#faults.shift()
    if (fault === 'lost') return
    this.sent.push({ event, body: payload })
    const body = JSON.stringify(payload)
    const secret = fault === 'forged' ? 'another secret' : this.secret
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }
    for (let times = fault === 'twice' ? 2 : 1; times > 0; times -= 1) {
      this.#running = this.#running.then(() => this.#post(url, headers, body))
    }
  }

  async #post(url: string, headers: Record<string, string>, body: string): Promise<void> {
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
      await response.arrayBuffer()
      this.replies.push(response.status)
    } catch {
      this.replies.push(0)
    }
  }
}

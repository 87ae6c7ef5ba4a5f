import { createHmac, randomUUID } from 'node:crypto'
import { Deliveries } from '../deliveries.ts'
import { type IssueRecord, type Json, ok, type Reply, refused, type Site, viewIssue } from './site.ts'

type Webhook = {
  id: number
  site: Site
  url: string
  jqlFilter: string
  events: string[]
  fieldIdsFilter?: string[]
  expirationDate: number
}

const LIFE_MS = 30 * 86_400_000

/** A JWT as Atlassian sends it, signed with the secret of an OAuth app. */
export function bearerToken(secret: string, claims: Json, header: Json = { typ: 'JWT', alg: 'HS256' }): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Dynamic webhooks of an OAuth app. Each lives for 30 days, and its requests have a token that is signed with the app's secret. */
export class Webhooks extends Deliveries {
  readonly all = new Map<number, Webhook>()
  readonly #now: () => number
  readonly #secret: string
  #last = 1000

  constructor(now: () => number, secret: string) {
    super()
    this.#now = now
    this.#secret = secret
  }

  list(site: Site): Reply {
    const values = this.#of(site).map(({ id, url, jqlFilter, events, fieldIdsFilter, expirationDate }) => {
      const filter = fieldIdsFilter ? { fieldIdsFilter } : {}
      return { id, url, jqlFilter, events, ...filter, expirationDate }
    })
    return ok({ values, startAt: 0, maxResults: 100, total: values.length, isLast: true })
  }

  register(site: Site, body: Json): Reply {
    const url = typeof body.url === 'string' ? body.url : ''
    const asked = (body.webhooks ?? []) as Pick<Webhook, 'jqlFilter' | 'events' | 'fieldIdsFilter'>[]
    if (!URL.canParse(url) || asked.length === 0) return refused({}, ['The list of webhooks is missing'])
    if (this.#of(site).some((hook) => hook.url !== url)) {
      return refused({}, ['Only a single URL per app is allowed to be registered'])
    }
    const results = asked.map(({ jqlFilter, events, fieldIdsFilter }) => {
      const [, project] = /^project = (\d+)$/.exec(jqlFilter) ?? []
      if (!site.project(project)) return { errors: [`The value '${project}' does not exist for the field 'project'.`] }
      this.#last += 1
      const id = this.#last
      const filter = fieldIdsFilter ? { fieldIdsFilter } : {}
      this.all.set(id, { id, site, url, jqlFilter, events, ...filter, expirationDate: this.#now() + LIFE_MS })
      return { createdWebhookId: id }
    })
    return ok({ webhookRegistrationResult: results })
  }

  refresh(body: Json): Reply {
    const expirationDate = this.#now() + LIFE_MS
    for (const id of (body.webhookIds ?? []) as number[]) {
      const hook = this.all.get(id)
      if (hook) hook.expirationDate = expirationDate
    }
    return ok({ expirationDate })
  }

  remove(body: Json): Reply {
    for (const id of (body.webhookIds ?? []) as number[]) this.all.delete(id)
    return { status: 202, body: null }
  }

  #of = (site: Site) => [...this.all.values()].filter((hook) => hook.site === site && hook.expirationDate > this.#now())

  /** Sends an event to the webhooks that follow the issue. `field`: what changed; null: it was deleted. */
  send(site: Site, issue: IssueRecord, field: string | null): void {
    const webhookEvent = field === null ? 'jira:issue_deleted' : 'jira:issue_updated'
    for (const hook of this.#of(site)) {
      const { jqlFilter, events, fieldIdsFilter } = hook
      if (jqlFilter !== `project = ${issue.project.id}` || !events.includes(webhookEvent)) continue
      if (field !== null && fieldIdsFilter && !fieldIdsFilter.includes(field)) continue
      const seconds = Math.floor(this.#now() / 1000)
      const body = JSON.stringify({
        timestamp: this.#now(),
        webhookEvent,
        issue: viewIssue(site, issue, ['summary', 'labels', 'status']),
        ...(field === null ? {} : { changelog: { id: randomUUID(), items: [{ field, fieldId: field }] } }),
        matchedWebhookIds: [hook.id],
      })
      const headers = {
        'content-type': 'application/json',
        authorization: bearerToken(this.#secret, { iat: seconds, exp: seconds + 180 }),
        'x-atlassian-webhook-identifier': randomUUID(),
      }
      this.deliver(() => ({ url: hook.url, body, headers }))
    }
  }
}

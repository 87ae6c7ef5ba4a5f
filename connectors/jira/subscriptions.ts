import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, JiraRefusal, ScopeMissing } from './client.ts'
import { projectOf } from './manifest.ts'
import { Expiration, Registered, Webhooks } from './schema.ts'
import { type JiraSite, siteById, siteOf } from './site.ts'
import { STATUS_FIELDS } from './status.ts'

const EVENTS = ['jira:issue_updated', 'jira:issue_deleted']
const LIFE_MS = 30 * 86_400_000

const State = z.object({ id: z.int(), site: z.string() })

/**
 * One dynamic webhook for each connection, for the chosen project. It ends after 30 days unless it is refreshed. Jira lets only OAuth
 * apps register webhooks, so that with an API token changes arrive by polling.
 */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, previous }) {
    const site = siteOf(context)
    if (site.id === null) throw new Rejected('Jira sends events only to those who sign in with Atlassian')
    const jqlFilter = `project = ${projectOf(context)}`
    const known = State.safeParse(previous).data ?? null
    if (known && known.site !== site.id) await removeWebhook(context, known)
    const mine = (await list(context, site)).filter((hook) => hook.url === url || isKnown(hook.id))
    function isKnown(id: number) {
      return known?.site === site.id && known.id === id
    }
    const kept = mine.find(
      (hook) => hook.url === url && hook.jqlFilter === jqlFilter && EVENTS.every((one) => hook.events.includes(one)),
    )
    // One of an earlier project or address, or one whose registration was interrupted.
    const old = mine.filter((hook) => hook !== kept).map(({ id }) => id)
    if (old.length > 0) await deleteWebhooks(context, site, old)
    if (kept) return { state: { id: kept.id, site: site.id }, expiresAt: await renew(context, site, kept.id) }
    const id = await register(context, site, { url, jqlFilter })
    return { state: { id, site: site.id }, expiresAt: new Date(context.now().getTime() + LIFE_MS) }
  },
  async remove(context, state) {
    const known = State.safeParse(state).data
    if (known) await removeWebhook(context, known)
  },
}

async function list(context: Context, site: JiraSite): Promise<z.infer<typeof Webhooks>['values']> {
  const work = call(context, site, {
    name: 'webhooks',
    path: '/webhook',
    query: { maxResults: 100 },
    schema: Webhooks,
  })
  return (await explained(work)).values
}

async function register(
  context: Context,
  site: JiraSite,
  { url, jqlFilter }: { url: string; jqlFilter: string },
): Promise<number> {
  const { webhookRegistrationResult } = await explained(
    call(context, site, {
      name: 'webhooks/register',
      method: 'POST',
      path: '/webhook',
      json: { url, webhooks: [{ jqlFilter, events: EVENTS, fieldIdsFilter: STATUS_FIELDS }] },
      schema: Registered,
    }),
  )
  const id = webhookRegistrationResult[0]?.createdWebhookId
  if (id === undefined || id === null) throw new Rejected('Jira refused to register a webhook for the project')
  return id
}

/** When it ends now. */
async function renew(context: Context, site: JiraSite, id: number): Promise<Date> {
  const { expirationDate } = await call(context, site, {
    name: 'webhooks/refresh',
    method: 'PUT',
    path: '/webhook/refresh',
    json: { webhookIds: [id] },
    schema: Expiration,
  })
  const date = new Date(expirationDate)
  return Number.isNaN(date.getTime()) ? new Date(context.now().getTime() + LIFE_MS) : date
}

async function removeWebhook(context: Context, { id, site: siteId }: z.infer<typeof State>): Promise<void> {
  const site = siteById(context, siteId)
  if (site) await deleteWebhooks(context, site, [id])
}

/** Ids that Jira does not know are ignored by it. */
async function deleteWebhooks(context: Context, site: JiraSite, webhookIds: readonly number[]): Promise<void> {
  await call(context, site, {
    name: 'webhooks/delete',
    method: 'DELETE',
    path: '/webhook',
    json: { webhookIds },
    schema: z.unknown(),
  })
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof JiraRefusal || error instanceof ScopeMissing)) throw error
    const lacksScope = error instanceof ScopeMissing || error.status === 403
    const why = lacksScope
      ? 'Add the scope manage:jira-webhook to the app and connect again'
      : 'An app may use one address only'
    throw new Rejected(`Jira refused to register a webhook. ${why}`, { ledger: error.ledger, cause: error })
  }
}

import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, ZendeskRefusal } from './client.ts'
import { unlessRefused } from './directory.ts'
import { OneWebhook, SigningSecret, Webhooks } from './schema.ts'

/** The events of tickets that change stored items. */
const EVENTS = [
  'attachment_redacted_from_comment',
  'comment_added',
  'comment_made_private',
  'comment_redacted',
  'created',
  'marked_as_spam',
  'merged',
  'permanently_deleted',
  'soft_deleted',
  'subject_changed',
  'undeleted',
].map((name) => `zen:event-type:ticket.${name}`)

const State = z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9]{1,64}$/)) })

/** One webhook for each connection. Zendesk creates its signing secret; it does not expire. */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, previous }) {
    const known = State.safeParse(previous).data?.id ?? null
    const mine = (await webhooks(context)).filter(({ endpoint }) => endpoint === url)
    const isWhole = (hook: (typeof mine)[number]) =>
      hook.status === 'active' && EVENTS.every((event) => hook.subscriptions?.includes(event))
    const kept = mine.find((hook) => hook.id === known && isWhole(hook))
    // One that was created just before an interruption, or switched off, or belongs to an address that is no longer ours.
    const old = new Set([...(known === null ? [] : [known]), ...mine.map(({ id }) => id)])
    for (const id of old) if (id !== kept?.id) await removeWebhook(context, id)
    const id = kept?.id ?? (await createWebhook(context, url))
    const { data } = await call(context, {
      name: 'webhook signing secret',
      path: `/api/v2/webhooks/${encodeURIComponent(id)}/signing_secret`,
      schema: SigningSecret,
    })
    return { state: { id }, expiresAt: null, secrets: { webhook_secret: data.signing_secret.secret } }
  },
  async remove(context, state) {
    const { id } = State.safeParse(state).data ?? {}
    if (id !== undefined) await removeWebhook(context, id)
  },
}

/** None where the sign-in may not list them. */
async function webhooks(context: Context): Promise<z.infer<typeof Webhooks>['webhooks']> {
  const reply = call(context, {
    name: 'webhooks',
    path: '/api/v2/webhooks',
    query: { 'filter[name_contains]': 'Groundswell', 'page[size]': 100 },
    schema: Webhooks,
  })
  return (await unlessRefused(reply))?.data.webhooks ?? []
}

async function createWebhook(context: Context, url: string): Promise<string> {
  const { data } = await call(context, {
    name: 'create webhook',
    method: 'POST',
    path: '/api/v2/webhooks',
    json: {
      webhook: {
        name: 'Groundswell',
        status: 'active',
        endpoint: url,
        http_method: 'POST',
        request_format: 'json',
        subscriptions: EVENTS,
      },
    },
    schema: OneWebhook,
    refusals: {
      403: new Rejected('Zendesk does not let this sign-in create webhooks: changes arrive with the next sync'),
    },
  })
  return data.webhook.id
}

async function removeWebhook(context: Context, id: string): Promise<void> {
  try {
    await call(context, {
      name: 'delete webhook',
      method: 'DELETE',
      path: `/api/v2/webhooks/${encodeURIComponent(id)}`,
      schema: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof ZendeskRefusal && error.status === 404)) throw error
  }
}

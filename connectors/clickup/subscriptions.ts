import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, path } from './client.ts'
import { placeOf } from './manifest.ts'
import { NewWebhook, type Webhook, Webhooks } from './schema.ts'

/** What may close, reopen or remove a task, or take it out of reach. */
export const EVENTS = ['taskStatusUpdated', 'taskDeleted', 'taskMoved'] as const

const State = z.object({ id: z.string() })

/**
 * One webhook for each connection and list, which does not expire. ClickUp chooses its secret, and suspends it without notice after
 * failed deliveries: a suspended one is replaced, and so is one of another list. A failing one becomes active again automatically. What
 * exists is looked up first, so that one whose creation was interrupted is not created twice.
 */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, previous }) {
    const { workspace, list } = placeOf(context)
    const own = (await readWebhooks(context, workspace)).filter(({ endpoint }) => endpoint === url)
    const usable = own.find((webhook) => webhook.list_id === list && isUsable(webhook))
    const kept = usable?.secret ? { id: usable.id, secret: usable.secret } : null
    const old = new Set(own.map(({ id }) => id))
    const before = State.safeParse(previous).data?.id
    if (before !== undefined) old.add(before)
    if (kept) old.delete(kept.id)
    // ClickUp accepts an address only once for a list, so that the old one has to go first.
    for (const id of old) await removeWebhook(context, id)
    const { id, secret } = kept ?? (await createWebhook(context, { workspace, list, url }))
    return { state: { id }, expiresAt: null, secrets: { webhook_secret: secret } }
  },
  async remove(context, state) {
    const { id } = State.safeParse(state).data ?? {}
    if (id !== undefined) await removeWebhook(context, id)
  },
}

/** Whether it still delivers, and delivers every event that is followed. */
function isUsable({ health, events }: Webhook): boolean {
  const delivers = (event: string) => events?.some((one) => one === event || one === '*')
  return health?.status !== 'suspended' && EVENTS.every(delivers)
}

async function readWebhooks(context: Context, workspace: string): Promise<Webhook[]> {
  const { webhooks } = await call(context, {
    method: 'GET',
    name: 'team/webhook',
    path: path`/team/${workspace}/webhook`,
    schema: Webhooks,
    subject: 'workspace',
    ledger: false,
  })
  return webhooks
}

async function createWebhook(context: Context, place: { workspace: string; list: string; url: string }) {
  const { webhook } = await call(context, {
    method: 'POST',
    name: 'team/webhook',
    path: path`/team/${place.workspace}/webhook`,
    json: { endpoint: place.url, events: EVENTS, list_id: Number(place.list) },
    schema: NewWebhook,
    subject: 'list',
    ledger: false,
  })
  return webhook
}

/** ClickUp does not document how it refuses an id that no longer exists: any final refusal means that nothing is left to remove. */
async function removeWebhook(context: Context, id: string): Promise<void> {
  try {
    await call(context, {
      method: 'DELETE',
      name: 'webhook',
      path: path`/webhook/${id}`,
      schema: z.unknown(),
      subject: 'webhook',
    })
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
  }
}

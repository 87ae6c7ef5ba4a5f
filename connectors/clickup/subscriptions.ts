import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { call, path } from './client.ts'
import { placeOf } from './manifest.ts'
import { Missing, NoAccess } from './refusal.ts'
import { NewWebhook, type Webhook, Webhooks } from './schema.ts'

/** What may close, reopen or remove a task, or take it out of reach. */
export const EVENTS = ['taskStatusUpdated', 'taskDeleted', 'taskMoved'] as const

const State = z.object({ id: z.string() })

/**
 * One webhook for each connection and list, which does not end. ClickUp chooses its secret, and suspends it without notice after
 * failed deliveries: one that is not healthy is replaced, and so is one of another list. What exists is looked up first, so that one
 * whose creation was interrupted is not created twice.
 */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, previous }) {
    const { workspace, list } = placeOf(context)
    const own = (await readWebhooks(context, workspace)).filter(({ endpoint }) => endpoint === url)
    const healthy = own.find(({ list_id, health }) => list_id === list && health?.status === 'active')
    const kept = healthy?.secret ? { id: healthy.id, secret: healthy.secret } : null
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

async function readWebhooks(context: Context, workspace: string): Promise<Webhook[]> {
  const { webhooks } = await call(context, {
    method: 'GET',
    name: 'team/webhook',
    path: path`/team/${workspace}/webhook`,
    schema: Webhooks,
    subject: 'workspace',
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
  })
  return webhook
}

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
    if (!(error instanceof Missing) && !(error instanceof NoAccess)) throw error
  }
}

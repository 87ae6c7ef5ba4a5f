import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected, Unavailable } from '../kit/errors.ts'
import { call, HelpScoutRefusal } from './client.ts'
import { listAll } from './lists.ts'
import { Webhooks } from './schema.ts'

/** The events of conversations that change stored items. */
const EVENTS = [
  'convo.created',
  'convo.customer.reply.created',
  'convo.agent.reply.created',
  'convo.deleted',
  'convo.merged',
  'convo.moved',
]
/** Help Scout takes a secret of at most this many characters. */
const MAX_SECRET = 40

/** States of a webhook that sends nothing. */
const OFF = /disabled|inactive|suspended|deleted/i

/** `secretHash`: of the secret that it signs with, because Help Scout does not list secrets. */
const State = z.object({ id: z.int().check(z.positive()), secretHash: z.optional(z.string()) })

/** One webhook for each connection, signed with our secret. It does not expire; a response with 410 switches it off. */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, secret: whole, previous }) {
    const secret = whole.slice(0, MAX_SECRET)
    const known = State.safeParse(previous).data
    const secretHash = createHash('sha256').update(secret).digest('base64url')
    const mine = (await listAll(context, 'webhooks', Webhooks)).filter((hook) => hook.url === url)
    const isWhole = (hook: (typeof mine)[number]) =>
      !OFF.test(hook.state ?? '') && EVENTS.every((event) => hook.events?.includes(event))
    const kept =
      known?.secretHash === secretHash ? mine.find((hook) => hook.id === known.id && isWhole(hook)) : undefined
    // One that was created just before an interruption, or switched off, or belongs to an address that is no longer ours.
    const old = new Set([...(known ? [known.id] : []), ...mine.map(({ id }) => id)])
    for (const id of old) if (id !== kept?.id) await removeWebhook(context, id)
    const id = kept?.id ?? (await createWebhook(context, url, secret))
    return { state: { id, secretHash }, expiresAt: null, secrets: { webhook_secret: secret } }
  },
  async remove(context, state) {
    const { id } = State.safeParse(state).data ?? {}
    if (id !== undefined) await removeWebhook(context, id)
  },
}

async function createWebhook(context: Context, url: string, secret: string): Promise<number> {
  const { headers } = await call(context, {
    name: 'create webhook',
    method: 'POST',
    path: '/v2/webhooks',
    body: { json: { url, events: EVENTS, secret, payloadVersion: 'V2', notification: false, label: 'Groundswell' } },
    schema: z.unknown(),
    refusals: {
      403: new Rejected('Help Scout does not let this sign-in create webhooks: changes arrive with the next sync'),
    },
  })
  const id = Number(headers['resource-id'] ?? /\/(\d+)\/?$/.exec(headers.location ?? '')?.[1])
  if (!Number.isSafeInteger(id) || id <= 0) throw new Unavailable('Help Scout did not return the id of the new webhook')
  return id
}

async function removeWebhook(context: Context, id: number): Promise<void> {
  try {
    await call(context, {
      name: 'delete webhook',
      method: 'DELETE',
      path: `/v2/webhooks/${id}`,
      schema: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof HelpScoutRefusal && error.status === 404)) throw error
  }
}

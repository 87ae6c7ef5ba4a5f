import * as z from 'zod/mini'
import type { Context, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, type Operation } from './client.ts'
import { derivedId } from './derived-id.ts'
import { teamOf } from './manifest.ts'
import { Missing, NotAllowed } from './refusal.ts'

const Done = z.object({ success: z.boolean() })

const CREATE = {
  name: 'webhookCreate',
  document: 'mutation WebhookCreate($input: WebhookCreateInput!) { webhookCreate(input: $input) { success } }',
  data: z.object({ webhookCreate: Done }),
} satisfies Operation<z.ZodMiniType>
const UPDATE = {
  name: 'webhookUpdate',
  document: `mutation WebhookUpdate($id: String!, $input: WebhookUpdateInput!) {
  webhookUpdate(id: $id, input: $input) { success }
}`,
  data: z.object({ webhookUpdate: Done }),
} satisfies Operation<z.ZodMiniType>
const REMOVE = {
  name: 'webhookDelete',
  document: 'mutation WebhookDelete($id: String!) { webhookDelete(id: $id) { success } }',
  data: z.object({ webhookDelete: Done }),
} satisfies Operation<z.ZodMiniType>

const State = z.object({ id: z.string() })

/**
 * One webhook for each connection and team, which does not expire. Its id is derived from its address and its team, so that one whose
 * creation was interrupted is not created twice. Linear disables a webhook that fails for long: updating it enables it again.
 */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, secret, previous }) {
    const teamId = teamOf(context)
    const id = derivedId('webhook', url, teamId)
    const settings = { url, secret, label: 'Groundswell', enabled: true, resourceTypes: ['Issue'] }
    const old = State.safeParse(previous).data?.id
    const create = () => call(context, CREATE, { input: { ...settings, id, teamId } })
    const update = () => call(context, UPDATE, { id, input: settings })
    await allowed(old === id ? either(update, create) : either(create, update))
    if (old !== undefined && old !== id) await removeWebhook(context, old)
    return { state: { id }, expiresAt: null, secrets: { webhook_secret: secret } }
  },
  async remove(context, state) {
    const { id } = State.safeParse(state).data ?? {}
    if (id !== undefined) await removeWebhook(context, id)
  },
}

async function either(likely: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  try {
    await likely()
  } catch (error) {
    if (!(error instanceof Rejected) || error instanceof NotAllowed) throw error
    await other()
  }
}

/** Linear lets administrators create webhooks; an application signed in as itself cannot, but has one of its own. */
async function allowed(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    throw new Rejected(
      'Linear lets only administrators create webhooks. Add one to the application in Linear instead',
      {
        ledger: error.ledger,
      },
    )
  }
}

async function removeWebhook(context: Context, id: string): Promise<void> {
  try {
    await call(context, REMOVE, { id })
  } catch (error) {
    if (!(error instanceof Missing)) throw error
  }
}

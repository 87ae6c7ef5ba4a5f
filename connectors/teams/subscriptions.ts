import * as z from 'zod/mini'
import type { Context, Subscription, Subscriptions } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, GraphRefusal, settingsOf } from './client.ts'
import { type Channel, chosenChannels } from './directory.ts'
import { listAll } from './lists.ts'
import { OneSubscription, SubscriptionPage } from './schema.ts'
import { selectionOf } from './selection.ts'

/** Longer than an hour is allowed with an address for notices about the subscription. A removed one is missing for this long at most. */
const LIFE_MS = 6 * 3_600_000
/** Further channels are polled. */
const MAX_CHANNELS = 200

const State = z.object({ ids: z.array(z.string().check(z.regex(/^[\w-]{1,100}$/))) })

/** One subscription for each channel. Notifications contain no message, so there is no certificate: the message is read again. */
export const subscriptions: Subscriptions = {
  async ensure(context, { url, secret, previous }) {
    const selection = selectionOf(settingsOf(context), context.now())
    // Called before teams are chosen, too: then there is nothing to follow.
    const chosen = selection.teams === null ? [] : await chosenChannels(context, selection)
    const channels = chosen.slice(0, MAX_CHANNELS)
    const wanted = new Map(channels.map((channel) => [resourceOf(channel), channel]))
    const mine = (await existing(context)).filter(({ notificationUrl }) => notificationUrl === url)
    const kept = new Map(mine.map(({ id, resource }) => [id, bare(resource ?? '')]))
    // What belongs to an address that is no longer ours, or to a channel that is no longer chosen.
    const known = State.safeParse(previous).data?.ids ?? []
    const old = [...known.filter((id) => !kept.has(id)), ...[...kept].flatMap(([id, of]) => (wanted.has(of) ? [] : id))]
    for (const id of old) await removeOne(context, id)
    const ends = new Date(context.now().getTime() + LIFE_MS).toISOString()
    const made: z.infer<typeof OneSubscription>[] = []
    let refused: GraphRefusal | null = null
    for (const resource of wanted.keys()) {
      try {
        const id = [...kept].find(([, of]) => of === resource)?.[0]
        const renewed = id === undefined ? null : await renew(context, id, ends)
        made.push(renewed ?? (await create(context, { resource, url, secret, ends })))
      } catch (error) {
        // Graph sends no notifications for some channels, such as shared ones: these are polled.
        if (!(error instanceof GraphRefusal)) throw error
        refused = error
      }
    }
    if (made.length === 0 && refused !== null) {
      throw new Rejected(`Microsoft refuses subscriptions to the chosen channels (${refused.status})`)
    }
    return { ...stateOf(made), secrets: { client_state: secret } }
  },
  async remove(context, state) {
    for (const id of State.safeParse(state).data?.ids ?? []) await removeOne(context, id)
  },
}

/** It expires with the first of them. */
function stateOf(made: readonly z.infer<typeof OneSubscription>[]): Subscription {
  const ends = made.map(({ expirationDateTime }) => Date.parse(expirationDateTime))
  return {
    state: { ids: made.map(({ id }) => id) },
    expiresAt: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  }
}

const resourceOf = (channel: Channel) => bare(decodeURIComponent(channelPath(channel, '/messages')))
const bare = (resource: string) => resource.replace(/^\/+/, '')

/** The app's subscriptions in this tenant, also those of other connections with the same app. */
function existing(context: Context) {
  const asked = { name: 'subscriptions', path: '/subscriptions', query: {}, schema: SubscriptionPage, needs: null }
  return listAll(context, asked)
}

type Created = { resource: string; url: string; secret: string; ends: string }

async function create(context: Context, { resource, url, secret, ends }: Created) {
  const { data } = await call(context, {
    name: 'create subscription',
    method: 'POST',
    path: '/subscriptions',
    json: {
      changeType: 'created,updated,deleted',
      notificationUrl: url,
      lifecycleNotificationUrl: url,
      resource: `/${resource}`,
      expirationDateTime: ends,
      clientState: secret,
      includeResourceData: false,
    },
    schema: OneSubscription,
    needs: PERMISSIONS.messages,
  })
  return data
}

/** Null when it is gone. */
async function renew(context: Context, id: string, ends: string) {
  try {
    const { data } = await call(context, {
      name: 'renew subscription',
      method: 'PATCH',
      path: `/subscriptions/${encodeURIComponent(id)}`,
      json: { expirationDateTime: ends },
      schema: OneSubscription,
      needs: null,
    })
    return data
  } catch (error) {
    if (error instanceof GraphRefusal && error.status === 404) return null
    throw error
  }
}

/** One that Graph does not let go ends within hours. */
async function removeOne(context: Context, id: string): Promise<void> {
  try {
    await call(context, {
      name: 'delete subscription',
      method: 'DELETE',
      path: `/subscriptions/${encodeURIComponent(id)}`,
      schema: z.unknown(),
      needs: null,
    })
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error
  }
}

import * as z from 'zod/mini'
import type { Context, EventOutcome } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { PERMISSIONS } from './app.ts'
import { call, channelPath, GraphRefusal, settingsOf } from './client.ts'
import { type Channel, channelsOf, teamsOf } from './directory.ts'
import { isDeleted, isWritten, replyId, rootId, toItems } from './item.ts'
import { Message } from './schema.ts'
import { channelKey, includesChannel, selectionOf } from './selection.ts'

const Posted = z.object({
  team: z.string(),
  channel: z.string(),
  root: z.string(),
  reply: z.nullable(z.string()),
  change: z.string(),
})
const Lifecycle = z.object({ lifecycle: z.string(), subscription: z.string() })

/**
 * Reads the message of a notification again: notifications are not ordered; a fresh read returns the newest state. Notices about the
 * subscription itself change nothing here: the next sync finds missed messages.
 */
export async function handleEvent(context: Context, payload: Record<string, unknown>): Promise<EventOutcome> {
  const outcome: EventOutcome = { items: [], deleted: [], ended: null }
  const lifecycle = Lifecycle.safeParse(payload).data
  if (lifecycle) {
    if (lifecycle.lifecycle === 'reauthorizationRequired') await reauthorize(context, lifecycle.subscription)
    return outcome
  }
  const posted = Posted.safeParse(payload).data
  if (!posted) throw new Rejected('A notification from Microsoft does not match its documentation')
  const { team, channel, root, reply, change } = posted
  const selection = selectionOf(settingsOf(context), context.now())
  if (selection.teams === null || !includesChannel(selection, team, channel)) return outcome
  const id = reply === null ? rootId(channel, root) : replyId(channel, root, reply)
  const message = await messageOf(context, posted)
  // After any other change, a message that is not found may just not be readable yet.
  if (message === null) return change === 'deleted' ? { ...outcome, deleted: [id] } : outcome
  if (!isWritten(message)) return outcome
  if (isDeleted(message)) return { ...outcome, deleted: [id] }
  const where = await channelOf(context, team, channel)
  if (!where) return outcome
  const isShared = selection.shared.has(channelKey(team, channel))
  const thread = { channel: where, root: reply === null ? null : root, isShared }
  return { ...outcome, items: await toItems(context, [message], thread) }
}

/** Null when it is not found. */
async function messageOf(context: Context, { team, channel, root, reply }: z.infer<typeof Posted>) {
  const path = `/messages/${encodeURIComponent(root)}${reply === null ? '' : `/replies/${encodeURIComponent(reply)}`}`
  try {
    const asked = { name: 'channel message', path: channelPath({ team, channel }, path), schema: Message }
    return (await call(context, { ...asked, needs: PERMISSIONS.messages })).data
  } catch (error) {
    if (error instanceof GraphRefusal && error.status === 404) return null
    throw error
  }
}

/** Null for one that the tenant does not list. */
async function channelOf(context: Context, team: string, channel: string): Promise<Channel | null> {
  const name = (await teamsOf(context)).find(({ id }) => id === team)?.name ?? team
  try {
    return (await channelsOf(context, { id: team, name })).find((one) => one.channel === channel) ?? null
  } catch (error) {
    if (error instanceof GraphRefusal) return null
    throw error
  }
}

/** Keeps a subscription whose access Graph wants to be proven. One that is gone is created again by its next renewal. */
async function reauthorize(context: Context, subscription: string): Promise<void> {
  try {
    await call(context, {
      name: 'reauthorize subscription',
      method: 'POST',
      path: `/subscriptions/${encodeURIComponent(subscription)}/reauthorize`,
      schema: z.unknown(),
      needs: null,
    })
  } catch (error) {
    if (!(error instanceof GraphRefusal)) throw error
  }
}
